import { ATTRIBUTES, DIMENSIONS, nanOption } from '../../../src/plan/format/array-options.ts'
import type { FormatRow } from '../../../src/plan/format/format-row.ts'

export const RASTER: FormatRow = {
  id: 'raster',
  title: 'Raster',
  from: ['raster'],
  functions: ['read_raster'],
  datasets: [{ id: 'raster', extensions: ['raster'], listingOrder: 11 }],
  options: [DIMENSIONS, nanOption('null'), ATTRIBUTES],
  layout: 'grid',
  storage: { kind: 'object' },
}
