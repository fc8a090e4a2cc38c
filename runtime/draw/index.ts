export { describeGraph, type GraphDescription } from "./describe.js";
export { describeNode, type NodeReport } from "./describe-node.js";
export { drawDot } from "./dot.js";
export { drawMermaid } from "./mermaid.js";
export { drawSvg } from "./svg/svg.js";
