import { type ClassicAttribute, type ClassicVariable, TYPE_BYTES, writeClassic } from './write-classic.ts'

const CHAR = 2
const INT = 4
const FLOAT = 5
const DOUBLE = 6

/** What differs among files of profiles. */
export interface ArgoLike {
  readonly version: 1 | 2 | 5
  readonly profiles: number
  readonly levels: number
  /** The records. */
  readonly steps: number
  /** The letters of a platform's name. */
  readonly letters: number
  readonly history: string
  readonly comment: string
  readonly hasSalinity: boolean
  readonly isWide: boolean
}

/** A file of profiles as Argo has them, with the values that `below` gives. */
export function argoLike(
  { version, profiles, levels, steps, letters, history, comment, hasSalinity, isWide }: ArgoLike,
  below: (most: number) => number,
): Buffer {
  const dimensions = [
    { name: 'STRING8', size: letters },
    { name: 'N_PROF', size: profiles },
    { name: 'N_LEVELS', size: levels },
    { name: 'N_HISTORY', size: 0 },
  ]
  const [texts, profile, level, step] = [0, 1, 2, 3]
  const sizes = [letters, profiles, levels, steps]
  const variable = (
    name: string,
    type: number,
    along: readonly number[],
    attributes: readonly ClassicAttribute[] = [],
  ): ClassicVariable => {
    const elements = along.reduce((product, index) => product * (sizes[index] ?? 0), 1)
    const bytes = Buffer.alloc(elements * (TYPE_BYTES[type] ?? 1))
    for (let index = 0; index < elements; index++) {
      if (type === CHAR) bytes[index] = 0x41 + below(4)
      else if (type === INT) bytes.writeInt32BE(below(90), 4 * index)
      else if (type === FLOAT) bytes.writeFloatBE(below(90) / 4, 4 * index)
      else bytes.writeDoubleBE(below(90) / 4, 8 * index)
    }
    return { name, dimensions: along, type, attributes, bytes }
  }
  const temperature = isWide ? DOUBLE : FLOAT
  const [least, named] = [float('valid_min', -2.5), text('standard_name', 'sea_water_temperature')]
  return writeClassic({
    version,
    records: steps,
    dimensions,
    attributes: [
      text('title', 'profiles'),
      text('history', history),
      float('version', 3.5),
      text('comment', comment),
    ],
    variables: [
      variable('PLATFORM', CHAR, [profile, texts]),
      variable('CYCLE', INT, [profile], [int('_FillValue', 7)]),
      variable('JULD', DOUBLE, [profile], [text('units', 'days since 1950-01-01 00:00:00')]),
      variable('LATITUDE', DOUBLE, [profile]),
      variable('PRES', FLOAT, [profile, level]),
      variable('TEMP', temperature, [profile, level], [named, least]),
      variable('TEMP_QC', CHAR, [profile, level]),
      ...(hasSalinity ? [variable('PSAL', FLOAT, [profile, level])] : []),
      variable('HISTORY_STEP', CHAR, [step, profile, texts]),
      variable('HISTORY_PRES', FLOAT, [step, profile]),
    ],
  })
}

function text(name: string, value: string): ClassicAttribute {
  return { name, type: CHAR, bytes: Buffer.from(value) }
}

function float(name: string, value: number): ClassicAttribute {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatBE(value)
  return { name, type: FLOAT, bytes }
}

function int(name: string, value: number): ClassicAttribute {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return { name, type: INT, bytes }
}
