import { compile } from 'tailwindcss';
globalThis.tailwind = async (sheet, candidates) => (await compile(sheet)).build(candidates.split('\n'));
