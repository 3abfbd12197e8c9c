import { FORMATS } from '../../src/plan/formats.ts'

/** What the gate checks names by, in a service of the default name. */
export const KNOWN_NAMES = Object.freeze({ formats: FORMATS, catalog: 'service' })
