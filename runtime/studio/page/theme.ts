import { signal } from "@preact/signals";

const KEPT = "flowsheet-studio-theme";
type Theme = "light" | "dark";

const asked = matchMedia("(prefers-color-scheme: dark)");
const kept = localStorage.getItem(KEPT);

export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : systemTheme());

function systemTheme(): Theme {
  return asked.matches ? "dark" : "light";
}

asked.addEventListener("change", () => {
  if (localStorage.getItem(KEPT) === null) theme.value = systemTheme();
});
theme.subscribe((now) => {
  document.documentElement.dataset["theme"] = now;
});

export function changeTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem(KEPT, theme.value);
}
