import type { Core } from '../../src/wasm/core/core.ts'
import type {
  ArrayFile,
  Attribute,
  Box,
  ElementType,
  Slab,
  StoredArray,
} from '../../src/workers/formats/arrays/array-file.ts'
import type { Reading } from '../../src/workers/formats/arrays/box/read-array.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'

/** An array that is not stored in chunks, with dimensions of these names and sizes. */
export function storedArray(
  element: ElementType,
  dimensions: readonly (readonly [name: string, size: number])[],
  attributes: readonly Attribute[] = [],
): StoredArray {
  return {
    name: 'array',
    element,
    dimensions: dimensions.map(([name, size]) => ({ name, size, isInvented: false })),
    chunk: null,
    isAtomic: false,
    storedBytes: 0,
    attributes,
  }
}

/** Reads a file with one array, of which `slabsOf` returns the slabs of a box. */
export function readingOf(core: Core, array: StoredArray, slabsOf: (box: Box) => Iterable<Slab>): Reading {
  const file: ArrayFile = { arrays: [array], attributes: [], slabs: (_store, _array, box) => slabsOf(box) }
  return { file, store: memorySource(Buffer.alloc(0), 'memory'), context: readContext(core) }
}

/** The attribute of a name: text, or a number of the element's type. */
export function attribute(
  name: string,
  value: string | number | bigint,
  element: Extract<ElementType, { kind: 'int' | 'float' }> = { kind: 'float', bits: 64 },
): Attribute {
  if (typeof value === 'string') return { name, value: { kind: 'text', value } }
  return { name, value: { kind: 'numbers', element, values: [value] } }
}
