import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import type { ArrayFile, ArrayReader, Box, Slab, StoredArray, StructuredFile } from '../arrays/array-file.ts'
import { findFile, findHeldFile } from '../arrays/known-file.ts'
import { readStrided } from '../arrays/strided/read-strided.ts'
import { elementName } from '../arrays/structure/element-name.ts'
import type { StoredStructure } from '../arrays/structure/stored-structure.ts'
import { createStructureBuilder } from '../arrays/structure/structure-builder.ts'
import { byUtf8 } from '../arrays/utf8-order.ts'
import type { HeldBytes, ReadContext } from '../provider.ts'
import { type Header, readHeader, versionOf } from './header.ts'
import { createKnownFiles, rememberFile } from './known-files.ts'
import { createKnownForms } from './known-forms.ts'
import { type Layout, layOut } from './layout.ts'

/**
 * Reads classic NetCDF files: CDF-1, CDF-2 (64-bit offsets) and CDF-5 (64-bit data). Elements are handed over as they are
 * stored, big-endian. Records are no chunks: a part of a record can be read without the rest, so rows come in C order.
 */
export const netcdf3: ArrayReader = Object.freeze({
  title: 'NetCDF',
  sniff(store: Store) {
    const source = store.open('')
    return source !== null && versionOf(source) !== null
  },
  open: (store: Store) => open(onlyObject(store)),
  openedBefore: (memory: Uint8Array, at: number, size: number) => findHeldFile(fileCache, memory, at, size),
  formed: ({ memory, at, size }: HeldBytes) => forms.find(memory, at, size),
  structure(store: Store): StructuredFile {
    const source = onlyObject(store)
    const header = readHeader(source)
    const file = fileOf(header, source.size)
    return { structure: structureOf(header, file), tables: [{ group: '/', file, hasGroups: false }] }
  },
})

const fileCache = createKnownFiles()
const forms = createKnownForms()

function open(source: ByteSource): ArrayFile {
  const earlier = findFile(fileCache, source)
  if (earlier !== undefined) return earlier
  const header = readHeader(source)
  const file = fileOf(header, source.size)
  rememberFile(fileCache, source, header.bytes, file)
  forms.remember(source, header, file)
  return file
}

/** What the header and the size of a file tell. It holds for each file that has both. */
function fileOf(header: Header, size: number): ArrayFile {
  const { layouts, records } = layOut(header, size)
  const byName = new Map(layouts.map((layout) => [layout.name, layout]))
  const dimensions = header.dimensions.map(({ name, size }) => ({
    name,
    size: size || records,
    isInvented: false,
  }))
  const used = new Set(header.variables.flatMap((variable) => variable.dimensions))
  const arrays = header.variables.map((variable): StoredArray => {
    const variableDimensions = variable.dimensions.flatMap((index) => dimensions[index] ?? [])
    return {
      name: variable.name,
      element: variable.type.element,
      dimensions: variableDimensions,
      chunk: null,
      isAtomic: false,
      storedBytes: variableDimensions.reduce((bytes, { size }) => bytes * size, variable.type.bytes),
      attributes: variable.attributes,
    }
  })
  return {
    arrays: arrays.toSorted((a, b) => byUtf8(a.name, b.name)),
    attributes: header.attributes.map(({ name, value }) => ({ name: `.${name}`, value })),
    otherDimensions: dimensions.filter((_, index) => !used.has(index)),
    slabs(store, { name }, box, context) {
      const layout = byName.get(name)
      if (layout === undefined) throw new RangeError(`no variable "${name}"`)
      requireInside(box, layout)
      return slabsOf(onlyObject(store), layout, box, context)
    },
  }
}

function* slabsOf(source: ByteSource, layout: Layout, box: Box, context: ReadContext): Generator<Slab> {
  const elementBytes = layout.type.bytes
  const elements = {
    kind: 'elements',
    isBigEndian: true,
    isShuffled: false,
    stride: elementBytes,
    offset: 0,
  } as const
  for (const part of readStrided(source, { ...layout, elementBytes }, box, context.checkCancelled))
    yield { ...part, ...elements }
}

function requireInside({ origin, extent }: Box, { shape }: Layout): void {
  const isInside =
    origin.length === shape.length &&
    extent.length === shape.length &&
    shape.every((size, axis) => {
      const [from = -1, length = -1] = [origin[axis], extent[axis]]
      return from >= 0 && length >= 0 && from + length <= size
    })
  if (!isInside) throw new RangeError(`no box of ${extent.join(' x ')} at ${origin.join(', ')}`)
}

/** What a classic file holds: everything lies in one group, and in no chunks. `file` has the same variables as arrays. */
function structureOf(header: Header, { arrays, otherDimensions = [] }: ArrayFile): StoredStructure {
  const builder = createStructureBuilder()
  const byName = new Map(arrays.map((array) => [array.name, array]))
  const sizes = new Map(
    [...otherDimensions, ...arrays.flatMap((array) => array.dimensions)].map(({ name, size }) => [
      name,
      size,
    ]),
  )
  builder.group('/', header.attributes)
  for (const { name, size } of header.dimensions)
    builder.dimension({ group: '/', name, size: sizes.get(name) ?? size, isUnlimited: size === 0 })
  for (const { name, type, attributes } of header.variables) {
    const dimensions = byName.get(name)?.dimensions ?? []
    const variable = {
      group: '/',
      name,
      type: elementName(type.element),
      dimensions: dimensions.map((each) => each.name),
      shape: dimensions.map((each) => each.size),
      chunk: null,
      shard: null,
      filters: [],
      note: null,
      array: { group: '/', name },
    }
    builder.variable(variable, attributes)
  }
  return builder.finish()
}
