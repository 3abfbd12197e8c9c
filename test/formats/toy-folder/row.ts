import type { FormatRow } from '../../../src/plan/format/format-row.ts'

export const TOY: FormatRow = {
  id: 'toy',
  title: 'Toy',
  from: ['toy'],
  functions: ['read_toy'],
  datasets: [{ id: 'toy', extensions: ['toy'], listingOrder: 20 }],
  options: [],
  layout: 'row_groups',
  storage: { kind: 'folder', markers: ['toy.json'] },
}
