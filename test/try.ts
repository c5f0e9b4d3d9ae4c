import { bundleWorkflows } from '/work/main/test/support/worker.ts';
let t=Date.now();
const a = await bundleWorkflows(new URL('file:///work/main/workflows/index.ts'));
console.log(a.length, Date.now()-t); t=Date.now();
const b = await bundleWorkflows(new URL('file:///work/main/workflows/index.ts'), {module:'workflows/activity-options.ts', by: new URL('file:///work/main/workflows/search-attributes.ts')});
console.log(b.length, Date.now()-t, a.includes('15m'), b.includes("'15m'"));
