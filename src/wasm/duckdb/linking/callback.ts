/** Types in WebAssembly's binary format. A value of i64 is a bigint in JavaScript. */
const TYPES = Object.freeze({ i32: 0x7f, i64: 0x7e })

export type ValueType = keyof typeof TYPES

/**
 * Adds a function to a module's table and returns its index, by which the module can call it as a function pointer. A table can
 * only have functions of WebAssembly modules, so a module is made that imports the function and exports it. The entry is never
 * removed.
 */
export function addCallback(
  table: WebAssembly.Table,
  parameters: readonly ValueType[],
  results: readonly ValueType[],
  callback: (...parameters: never[]) => unknown,
): number {
  const section = (id: number, bytes: readonly number[]) => [id, bytes.length, ...bytes]
  const list = (types: readonly ValueType[]) => [types.length, ...types.map((type) => TYPES[type])]
  const type = [0x60, ...list(parameters), ...list(results)]
  const name = [1, 'f'.charCodeAt(0)]
  const bytes = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...type]),
    // Imports function 0, of type 0, and exports it.
    ...section(2, [1, ...name, ...name, 0, 0]),
    ...section(7, [1, ...name, 0, 0]),
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { f: { f: callback } })
  const index = table.grow(1)
  table.set(index, instance.exports['f'])
  return index
}
