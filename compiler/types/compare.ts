import { type FieldType, isOpen } from "./field-type.js";

/** Whether every value of one type is a value of another, as TypeScript sees it. */
export function isAssignable(from: FieldType, to: FieldType): boolean {
  if (isOpen(from) || isOpen(to)) return true;
  if (from.kind === "union") return from.members.every((member) => isAssignable(member, to));
  if (to.kind === "union") return to.members.some((member) => isAssignable(from, member));
  if (from.kind === "choice")
    return (
      to.kind === "string" ||
      (to.kind === "choice" && from.values.every((value) => to.values.includes(value)))
    );
  if (from.kind === "list-of") return to.kind === "list" || (to.kind === "list-of" && to.item === from.item);
  return from.kind === to.kind;
}

/** Whether two types have a value in common. */
export function overlaps(a: FieldType, b: FieldType): boolean {
  if (a.kind === "union") return a.members.some((member) => overlaps(member, b));
  if (b.kind === "union") return b.members.some((member) => overlaps(a, member));
  if (a.kind === "choice" && b.kind === "choice") return a.values.some((value) => b.values.includes(value));
  return isAssignable(a, b) || isAssignable(b, a);
}
