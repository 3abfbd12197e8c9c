import type { FormatRow } from '../../../src/plan/format/format-row.ts'

export const GRID: FormatRow = {
  id: 'toygrid',
  title: 'Toy grid',
  from: ['toygrid'],
  functions: ['read_toygrid'],
  datasets: [{ id: 'toygrid', extensions: ['toygrid'], listingOrder: 21 }],
  options: [],
  layout: 'grid',
  storage: { kind: 'folder', markers: ['grid.json'] },
}
