/** Types of WebAssembly in its binary format. */
const I32 = 0x7f

/**
 * Puts a function into a module's table, so that it can be called by pointer: its place there. A table takes functions
 * of modules only, so a module is made that hands on a call. Every parameter is an i32, the result is none; the place is
 * never given back.
 */
export function addCallback(
  table: WebAssembly.Table,
  parameters: number,
  callback: (...parameters: number[]) => void,
): number {
  const section = (id: number, bytes: readonly number[]) => [id, bytes.length, ...bytes]
  const type = [0x60, parameters, ...Array.from({ length: parameters }, () => I32), 0]
  const name = [1, 'f'.charCodeAt(0)]
  const bytes = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, ...type]),
    // Import and export function 0 of type 0.
    ...section(2, [1, ...name, ...name, 0, 0]),
    ...section(7, [1, ...name, 0, 0]),
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { f: { f: callback } })
  const place = table.grow(1)
  table.set(place, instance.exports['f'])
  return place
}
