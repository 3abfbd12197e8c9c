import { ServiceError } from '../../../src/plan/errors.ts'

/**
 * The content of `grid.json`. Each dimension has a coordinate variable of its name, with the value `start + index * step`.
 */
export interface GridDocument {
  readonly dimensions: readonly Dimension[]
  readonly variables: readonly Variable[]
  /** Whether chunks are deflated. */
  readonly isDeflated: boolean
}

export interface Dimension {
  readonly name: string
  readonly size: number
  /** The length of chunks along the dimension, the same for all variables. */
  readonly chunk: number
  readonly start: number
  readonly step: number
}

export interface Variable {
  readonly name: string
  /** The indices of its dimensions, ascending. */
  readonly dimensions: readonly number[]
}

const MOST = { dimensions: 8, variables: 64, chunkCells: 1 << 24 }

export const MARKER = 'grid.json'

/** Reads and checks a document. Throws `unreadable_file`. */
export function readDocument(bytes: Uint8Array): GridDocument {
  const { dimensions, variables, isDeflated } = parsed(bytes)
  if (!isListOf(dimensions, MOST.dimensions, isDimension)) throw fault('dimensions')
  if (!isListOf(variables, MOST.variables, (each) => isVariable(each, dimensions))) throw fault('variables')
  if (typeof isDeflated !== 'boolean') throw fault('isDeflated')
  const names = [...dimensions, ...variables].map(({ name }) => name)
  if (new Set(names).size < names.length) throw fault('names')
  return { dimensions, variables, isDeflated }
}

/** The dimensions of a variable. */
export function lengthsOf({ dimensions }: GridDocument, variable: Variable): readonly Dimension[] {
  return variable.dimensions.flatMap((place) => dimensions[place] ?? [])
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(Buffer.from(bytes).toString()) }
  } catch {
    throw fault('JSON')
  }
}

function isDimension(value: unknown): value is Dimension {
  const { name, size, chunk, start, step } = { ...(value as Partial<Dimension>) }
  const numbers = [size, chunk, start, step].map(Number)
  if (typeof name !== 'string' || !numbers.every(Number.isSafeInteger)) return false
  return (
    Number(size) >= 0 &&
    Number(chunk) >= 1 &&
    Number.isSafeInteger(Number(start) + Number(size) * Number(step))
  )
}

function isVariable(value: unknown, all: readonly Dimension[]): value is Variable {
  const { name, dimensions } = { ...(value as Partial<Variable>) }
  if (typeof name !== 'string' || !Array.isArray(dimensions)) return false
  const isAscending = dimensions.every(
    (each, place) =>
      Number.isInteger(each) &&
      each >= 0 &&
      each < all.length &&
      (place === 0 || each > dimensions[place - 1]),
  )
  return (
    isAscending && dimensions.reduce((cells, each) => cells * (all[each]?.chunk ?? 1), 1) <= MOST.chunkCells
  )
}

function isListOf<T>(value: unknown, most: number, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.length <= most && value.every(is)
}

function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', `${MARKER} is damaged: ${what}`)
}
