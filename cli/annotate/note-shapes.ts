import { cellName } from "../../compiler/1-parse/text/places.js";

/** Where a note stands, for programs that draw it: a box that is hidden until somebody points at its cell. */
export interface NotePlace {
  readonly row: number;
  readonly column: number;
}

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';

export const emptyDrawing = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>${SHAPE_TYPE}</xml>`;

export function drawingWith(text: string, notes: readonly NotePlace[]): string {
  const used = [...text.matchAll(/_x0000_s(\d+)/g)].map(([, number]) => Number(number));
  const first = used.reduce((most, one) => Math.max(most, one), 1024) + 1;
  const type = text.includes('id="_x0000_t202"') ? "" : SHAPE_TYPE;
  const shapes = notes.map((note, i) => shapeOf(note, first + i));
  return text.replace(/<\/xml>\s*$/, () => `${type}${shapes.join("")}</xml>`);
}

function shapeOf({ row, column }: NotePlace, number: number): string {
  const anchor = [column + 1, 15, Math.max(0, row - 1), 10, column + 5, 15, row + 6, 4].join(", ");
  return (
    `<v:shape id="_x0000_s${number}" type="#_x0000_t202" style="position:absolute;margin-left:80pt;margin-top:5pt;width:240pt;height:100pt;z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

/** Without the shapes of some cells; null when none is left. */
export function drawingWithout(text: string, cells: ReadonlySet<string>): string | null {
  const left = text.replace(/<v:shape\s[\s\S]*?<\/v:shape>\s*/g, (shape) => {
    const row = /<x:Row>(\d+)<\/x:Row>/.exec(shape)?.[1];
    const column = /<x:Column>(\d+)<\/x:Column>/.exec(shape)?.[1];
    if (row === undefined || column === undefined) return shape;
    return cells.has(cellName(Number(column), Number(row))) ? "" : shape;
  });
  return /<v:shape\s/.test(left) ? left : null;
}
