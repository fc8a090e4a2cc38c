const LINES = [1, 2, 3, 4, 5, 6, 7, 8];

/** Stands for lines that come. It is not seen at once, so that nothing flickers where they come quickly. */
export const Skeleton = ({ says }: { readonly says: string }) => (
  <ul class="skeleton" aria-label={says}>
    {LINES.map((line) => (
      <li key={line} />
    ))}
  </ul>
);
