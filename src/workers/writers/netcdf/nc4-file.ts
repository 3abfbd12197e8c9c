import { createHdf5Output, type Hdf5Output } from './library/hdf5-output.ts'
import { withShuffle } from './library/shuffled-output.ts'
import { NC4_ELEMENTS, type Nc4Type, text } from './nc4-types.ts'

export interface Nc4Dimension {
  readonly name: string
  /** The length. It can grow if the dimension is unlimited. */
  readonly length: number
  readonly isUnlimited: boolean
}

export interface Nc4Variable {
  /** That of a dimension: it is the coordinate variable of it, and has no other dimension. */
  readonly name: string
  readonly type: Nc4Type
  /** Indexes of dimensions, the slowest first. */
  readonly dimensions: readonly number[]
  /** The shape of a chunk, which is stored whole. Null: the values are stored in one piece, and no dimension is unlimited. */
  readonly chunks: readonly number[] | null
  /** The level of deflate for chunks, which are shuffled before. 0: they are not compressed. Texts of variable length never are. */
  readonly compression: number
  readonly attributes: readonly Nc4Attribute[]
}

export type Nc4Attribute =
  /** ASCII text. */
  | { readonly name: string; readonly text: string }
  /** One value or several of a type other than `string`, little-endian. */
  | { readonly name: string; readonly type: Nc4Type; readonly value: Uint8Array }
  /** One value of the type `string`. */
  | { readonly name: string; readonly string: string }

/**
 * A NetCDF-4 file while it is written. Equal calls give equal bytes. Variables and dimensions are referred to by their indexes.
 * Each call throws `disk_full` and `output_failed` as soon as the file cannot be written. After that only `discard` may be called.
 */
export interface Nc4File {
  /** The bytes of the file. */
  readonly bytes: number
  /** The memory of the library, in which values lie that are written. */
  readonly memory: Pick<Hdf5Output, 'allocate' | 'free' | 'heap'>
  /** Makes the dimensions and the variables, once. Names have been checked. */
  define(dimensions: readonly Nc4Dimension[], variables: readonly Nc4Variable[]): void
  /** Lengthens an unlimited dimension. New values are zeros until they are written. */
  lengthen(dimension: number, length: number): void
  /**
   * Writes the values at an address of the memory to a box of a variable. Whole chunks take a seventh of the time that parts of them take.
   * Values of `string` are 32-bit addresses of texts in UTF-8 that end in NUL.
   */
  write(variable: number, from: readonly number[], count: readonly number[], pointer: number): void
  /** Adds an attribute to a variable, or to the file if that is null. */
  addAttribute(variable: number | null, attribute: Nc4Attribute): void
  /** Completes the file. */
  close(): void
  /** Gives up the file at any stage. Never throws. */
  discard(): void
}

/** What makes a dataset a dimension without a coordinate variable. Its length follows. */
const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable.'

/** Elements of a chunk of a dataset without values. None is ever stored. */
const EMPTY_CHUNK = 1024

/** Begins a file in the place of what the descriptor's file holds. */
export async function createNc4File(descriptor: number): Promise<Nc4File> {
  const output = withShuffle(await createHdf5Output(descriptor), descriptor)
  let dimensions: readonly Nc4Dimension[] = []
  let variables: readonly Nc4Variable[] = []
  let lengths: number[] = []

  const dimensionAt = (index: number): Nc4Dimension => at(dimensions, index)
  const isCoordinate = ({ name, dimensions: axes }: Nc4Variable): boolean =>
    axes.length === 1 && axes.every((axis) => dimensionAt(axis).name === name)
  const shapeOf = ({ dimensions: axes }: Nc4Variable): number[] => axes.map((axis) => at(lengths, axis))

  function makeDimension({ name, length, isUnlimited }: Nc4Dimension, index: number): void {
    if (variables.some((variable) => isCoordinate(variable) && variable.name === name)) return
    const chunks = isUnlimited ? [EMPTY_CHUNK] : null
    output.createDataset(pathOf(name), NC4_ELEMENTS.float, {
      shape: [length],
      canGrow: [isUnlimited],
      chunks,
      deflate: 0,
    })
    output.setScale(pathOf(name), `${NO_VARIABLE}${String(length).padStart(10)}`)
    setDimension(name, index)
  }

  function setDimension(name: string, index: number): void {
    output.createAttribute(pathOf(name), '_Netcdf4Dimid', NC4_ELEMENTS.int, [], ints([index]))
  }

  function makeVariable(variable: Nc4Variable): void {
    const { name, type, dimensions: axes, chunks, compression } = variable
    const deflate = chunks === null || type === 'string' ? 0 : compression
    const canGrow = axes.map((axis) => dimensionAt(axis).isUnlimited)
    output.createDataset(pathOf(name), NC4_ELEMENTS[type], {
      shape: shapeOf(variable),
      canGrow,
      chunks,
      deflate,
    })
    for (const attribute of variable.attributes) addAttribute(name, attribute)
    if (!isCoordinate(variable)) return
    output.setScale(pathOf(name), name)
    for (const axis of axes) setDimension(name, axis)
  }

  function attachDimensions(variable: Nc4Variable): void {
    if (isCoordinate(variable)) return
    const { name, dimensions: axes } = variable
    for (const [axis, index] of axes.entries())
      output.attachScale(pathOf(name), pathOf(dimensionAt(index).name), axis)
    output.createAttribute(pathOf(name), '_Netcdf4Coordinates', NC4_ELEMENTS.int, [axes.length], ints(axes))
  }

  function addAttribute(variable: string, attribute: Nc4Attribute): void {
    const path = pathOf(variable)
    if ('text' in attribute) {
      const bytes = Buffer.from(attribute.text, 'latin1')
      output.createAttribute(path, attribute.name, text(bytes.length), [], bytes)
    } else if ('string' in attribute) {
      addString(path, attribute.name, attribute.string)
    } else {
      // Text of fixed length in an array would be read as an attribute of the type `string`.
      const element = NC4_ELEMENTS[attribute.type]
      const shape = attribute.type === 'char' ? [] : [attribute.value.length / element.size]
      output.createAttribute(path, attribute.name, element, shape, attribute.value)
    }
  }

  function addString(path: string, name: string, value: string): void {
    const bytes = Buffer.from(`${value}\0`)
    const pointer = output.allocate(bytes.length)
    try {
      output.heap().set(bytes, pointer)
      output.createAttribute(path, name, NC4_ELEMENTS.string, [1], ints([pointer]))
    } finally {
      output.free(pointer)
    }
  }

  return {
    get bytes() {
      return output.bytes
    },
    memory: output,
    define(newDimensions, over) {
      dimensions = newDimensions
      variables = over
      lengths = newDimensions.map(({ length }) => length)
      for (const [index, dimension] of newDimensions.entries()) makeDimension(dimension, index)
      for (const variable of over) makeVariable(variable)
      for (const variable of over) attachDimensions(variable)
    },
    lengthen(dimension, length) {
      lengths[dimension] = length
      const { name } = dimensionAt(dimension)
      for (const variable of variables)
        if (variable.dimensions.includes(dimension)) output.resize(pathOf(variable.name), shapeOf(variable))
      if (!variables.some((variable) => isCoordinate(variable) && variable.name === name))
        output.resize(pathOf(name), [length])
    },
    write: (variable, from, count, pointer) =>
      output.write(pathOf(at(variables, variable).name), from, count, pointer),
    addAttribute: (variable, attribute) =>
      addAttribute(variable === null ? '' : at(variables, variable).name, attribute),
    close: () => output.close(),
    discard: () => output.discard(),
  }
}

function pathOf(name: string): string {
  return `/${name}`
}

function ints(values: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer)
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`${index} of ${items.length}`)
  return item
}
