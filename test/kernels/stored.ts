import type { Column } from '../../src/wasm/core/column.ts'
import type { Core } from '../../src/wasm/core/core.ts'

/** A dictionary column of so many rows. It takes ownership of the values. */
export function columnOfIndices(core: Core, values: Column, indices: readonly (number | null)[]): Column {
  const validity = new Uint8Array(Math.ceil(indices.length / 8))
  for (const [row, index] of indices.entries())
    if (index !== null) validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7))
  return core.assemble({
    layout: 'dictionary',
    // The indices have 32 bits.
    parameter: 2,
    rows: indices.length,
    buffers: [validity, new Uint8Array(Int32Array.from(indices, (index) => index ?? 0).buffer)],
    children: [values],
  })
}
