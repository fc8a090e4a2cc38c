/** The graph of a row, as the language server draws it. */
export interface Picture {
  readonly graph: string;
  readonly svg: string;
}

/**
 * The page of the preview. It holds no script and may load nothing: the drawing is an image in the page itself, and an
 * image runs nothing.
 */
export function pageOf(picture: Picture | null, nonce: string): string {
  const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">body{padding:8px}img{max-width:100%;height:auto}</style>
</head>
<body>${bodyOf(picture)}</body>
</html>`;
}

function bodyOf(picture: Picture | null): string {
  if (picture === null) return "<p>Put the cursor into a row of a graph.</p>";
  const data = Buffer.from(picture.svg, "utf8").toString("base64");
  return `<img alt="${escaped(`The graph ${picture.graph}`)}" src="data:image/svg+xml;base64,${data}">`;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
