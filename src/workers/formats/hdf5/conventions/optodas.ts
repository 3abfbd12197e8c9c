import type { Store } from '../../../store/store.ts'
import type { ArrayFile, Attribute, StoredArray } from '../../arrays/array-file.ts'
import type { OpenContext } from '../../provider.ts'
import { type HeaderValues, headerValues } from './header-values.ts'
import { arrayOfAxis, type MadeAxis, type MadeValues, slabOfAxis } from './made-axis.ts'

/**
 * The arrays of a file of OptoDAS, an instrument of distributed acoustic sensing: the axes of `data` are called as the header says, are
 * arrays themselves, and the values of `data` are scaled. Any other file stays as it is. Throws `unreadable_file`.
 */
export function withOptodas(file: ArrayFile, store: Store, context: OpenContext): ArrayFile {
  const header = headerValues(file, store, context)
  const data = file.arrays.find(({ name }) => name === 'data')
  const names = data === undefined ? null : axisNames(file, data, header)
  if (data === undefined || names === null) return file
  const taken = new Set(file.arrays.map(({ name }) => name))
  const axesByName = new Map<string, MadeAxis>()
  for (const [axis, name] of names.entries()) {
    const size = data.dimensions[axis]?.size ?? 0
    const values = taken.has(name) ? null : valuesOf(name, axis, size, header)
    if (values !== null) axesByName.set(name, { name, size, values })
  }
  const arrays = file.arrays.map((array) => (array === data ? asDescribed(data, names, header) : array))
  const all = [...arrays, ...[...axesByName.values()].map(arrayOfAxis)]
  return {
    ...file,
    arrays: all.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))),
    slabs(reading, array, box, reader) {
      const axis = axesByName.get(array.name)
      return axis === undefined ? file.slabs(reading, array, box, reader) : [slabOfAxis(axis, box)]
    },
  }
}

/** The names of the axes of `data`. Null: the header does not describe it. */
function axisNames(file: ArrayFile, data: StoredArray, header: HeaderValues): readonly string[] | null {
  const { dimensions, element } = data
  if (dimensions.length === 0 || (element.kind !== 'int' && element.kind !== 'float')) return null
  const names = header.texts('header/dimensionNames')
  const sizes = header.numbers('header/dimensionSizes')
  if (names?.length !== dimensions.length || sizes?.length !== dimensions.length) return null
  if (!dimensions.every(({ size }, axis) => sizes[axis] === size)) return null
  if (names.includes('') || new Set(names).size < names.length) return null
  // If another array has a dimension by one of the names, it must be the same dimension.
  const others = file.arrays.filter((array) => array !== data).flatMap((array) => array.dimensions)
  const isOther = others.some(({ name, size }) => names.includes(name) && sizes[names.indexOf(name)] !== size)
  return isOther ? null : names
}

/** `data` with the axes and the scale of the header. */
function asDescribed(data: StoredArray, names: readonly string[], header: HeaderValues): StoredArray {
  const dimensions = data.dimensions.map(({ size }, axis) => ({
    name: names[axis] ?? '',
    size,
    isInvented: false,
  }))
  const scale = header.number('header/dataScale')
  if (scale === null) return { ...data, dimensions }
  const others = data.attributes.filter(({ name }) => name !== 'scale_factor' && name !== 'add_offset')
  const factor: Attribute = {
    name: 'scale_factor',
    value: { kind: 'numbers', element: { kind: 'float', bits: 64 }, values: [scale] },
  }
  return { ...data, dimensions, meaning: [...others, factor] }
}

/** The values along an axis. Null: the header does not tell them. */
function valuesOf(name: string, axis: number, size: number, header: HeaderValues): MadeValues | null {
  if (name === 'time') return timesOf(size, header)
  return name === 'distance' ? distancesOf(axis, size, header) : null
}

const NS_PER_S = 1e9

/** The greatest count of nanoseconds since 1970 that a time has. */
const MOST_NS = 2n ** 63n - 1n

/** Times at equal distances. If samples are missing, the distances are not equal. */
function timesOf(size: number, header: HeaderValues): MadeValues | null {
  const [start, step] = [header.number('header/time'), header.number('header/dt')]
  if (start === null || step === null || header.count('header/missingSamples') > 0) return null
  const [startNs, stepNs] = [round(start * NS_PER_S), round(step * NS_PER_S)]
  if (startNs === null || stepNs === null || step <= 0) return null
  const lastNs = startNs + BigInt(Math.max(0, size - 1)) * stepNs
  if (startNs < -MOST_NS || lastNs > MOST_NS) return null
  return { kind: 'times', valueAt: (index) => startNs + BigInt(index) * stepNs }
}

/** A number as an integer, halves away from zero. Null: it is not finite. */
function round(value: number): bigint | null {
  return Number.isFinite(value) ? BigInt(Math.sign(value) * Math.round(Math.abs(value))) : null
}

/** Positions at equal distances along the fibre, in metres. */
function distancesOf(axis: number, size: number, header: HeaderValues): MadeValues | null {
  const range = `header/dimensionRanges/dimension${axis}`
  const [min, max] = [header.number(`${range}/min`), header.number(`${range}/max`)]
  if (min === null || max === null) return null
  const unit = header.number(`${range}/unitScale`) ?? 1
  const steps = Math.max(1, size - 1)
  return { kind: 'numbers', valueAt: (index) => (min + (index * (max - min)) / steps) * unit }
}
