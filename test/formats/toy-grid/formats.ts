import { createFormats } from '../../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { GRID } from './row.ts'

/** The formats of the service and the toy grid. */
export const FORMATS_WITH_GRID = createFormats([...FORMATS.rows, GRID])
