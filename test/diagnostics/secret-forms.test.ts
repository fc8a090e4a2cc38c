import { expect, test } from "vitest";
import { findSecret, hideSecrets, isNamedSecret } from "../../compiler/diagnostics/secret-forms.js";

const word = "a1B2c3".repeat(8);

/** Put together here, so that nobody who looks for secrets in this repository takes them for real. */
test.each([
  ["sk-", word],
  ["sk-ant-", `api03-${word}`],
  ["sk_live", `_${word}`],
  ["ghp", `_${word}`],
  ["github_pat", `_${word}`],
  ["glpat", `-${word}`],
  ["xoxb", `-123456789012-${word}`],
  ["AIza", word.slice(0, 35)],
  ["SG.", `${word.slice(0, 22)}.${word.slice(0, 43)}`],
  ["npm", `_${word.slice(0, 36)}`],
  ["fsk", `_${word}`],
  ["eyJhbGciOiJIUzI1NiJ9.", `eyJzdWIiOiJhZGEifQ.${word}`],
  ["123456789:", `AA${word.slice(0, 33)}`],
  ["https://hooks.slack.com/", `services/T0000/B0000/${word}`],
  ["https://discord.com/api/", `webhooks/123/${word}`],
  ["Bearer ", word],
  ["postgres://ada:", "pa55word@db.example"],
])("%s… is found, and hidden to the letter", (first, rest) => {
  const secret = `${first}${rest}`;
  const text = `Use ${secret} for it`;
  expect(findSecret(text)).toEqual({ start: 4, end: 4 + secret.length });
  expect(hideSecrets(text)).toBe(`Use ${"*".repeat(secret.length)} for it`);
});

test.each([
  "the sk-number of the task-list-and-risk-assessment",
  "https://api.example.com/v1/orders?token={key}",
  "550e8400-e29b-41d4-a716-446655440000",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "Bearer of good tidings, Basic understanding",
  "https://example.com/@ada:8080",
  "mailto:ada@example.com at 10:30:00",
])("%s is no secret", (text) => {
  expect(findSecret(text)).toBeNull();
});

test("under the name of a secret a literal text is one", () => {
  expect(isNamedSecret("X-Api-Key", "abc123def456")).toBe(true);
  expect(isNamedSecret("Authorization", "Token abcdefgh")).toBe(true);
  expect(isNamedSecret("token", "{token}")).toBe(false);
  expect(isNamedSecret("token", "env:MY_TOKEN1")).toBe(false);
  expect(isNamedSecret("token", "a plain sentence 1")).toBe(false);
  expect(isNamedSecret("memory_key", "abc123def456")).toBe(false);
});

test("a very long text is searched in linear time", () => {
  const long = `${"https://".repeat(50_000)}${"eyJ".repeat(50_000)}${"Bearer ".repeat(50_000)}${"sk-".repeat(50_000)}`;
  expect(findSecret(long)).toBeNull();
});
