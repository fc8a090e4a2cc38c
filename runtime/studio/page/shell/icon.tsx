/** Strokes on a square of 16. */
const PATHS = {
  flowsheet: "M1.5 2h5v3.5h-5zM9.5 10.5h5V14h-5zM4 5.5V10a2 2 0 0 0 2 2h3.5",
  sheets: "M2 3h12v10H2zM2 6.3h12M2 9.7h12M6 3v10",
  runs: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.5V8l2.3 1.6",
  inbox: "M1.8 9l2-6h8.4l2 6v4H1.8zM1.8 9h3.6l1 1.8h3.2l1-1.8h3.6",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8L13 13M13 3l-1.2 1.2M4.2 11.8L3 13",
  moon: "M13.5 9.8A5.8 5.8 0 0 1 6.2 2.5a5.8 5.8 0 1 0 7.3 7.3z",
  find: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4L14 14",
  play: "M5 3l8 5-8 5z",
  keys: "M1.5 4h13v8h-13zM4 6.7h.5M7 6.7h.5M10 6.7h.5M12 6.7h.5M5 9.5h6",
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside a word, or in a button that has a name; it says nothing by itself. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
