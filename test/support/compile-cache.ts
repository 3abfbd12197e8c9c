/** The variable with which a process of an environment of its own has the compile cache of this one, if it has one. It starts in half of the time. */
export const COMPILE_CACHE: Readonly<Record<string, string>> =
  process.env['NODE_COMPILE_CACHE'] === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
