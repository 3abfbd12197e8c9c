import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { FormatOptions } from '../../../plan/format/file-format.ts'
import { type FileRef, isFileSettled, isSmallFile } from '../../../plan/source/file.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { viewedReads } from '../../store/viewed-reads.ts'
import type { ArrayFile, ArrayReader, StructuredFile } from '../arrays/array-file.ts'
import { findFile, findHeldFile } from '../arrays/known-file.ts'
import type { OpenContext } from '../provider.ts'
import { withOptodas } from './conventions/optodas.ts'
import { createDatasetReader, type DatasetReader } from './data/dataset-reader.ts'
import { filterLabel, isUndoneByLibrary } from './data/filters/filters.ts'
import type { Hdf5Array, Hdf5Metadata } from './hdf5-metadata.ts'
import { createKnownFiles, rememberFile, traceReads } from './known-files.ts'
import { createKnownForms } from './known-forms.ts'
import { parseContents, parseMetadata } from './metadata/parse-metadata.ts'
import { hasSignature } from './signature.ts'

/** Reads HDF5 files, all of their groups. */
export const hdf5: ArrayReader = readerOf(true)

/** The same for NetCDF-4, of whose groups the root alone is read. */
export const netcdf4: ArrayReader = readerOf(false)

function readerOf(areGroupsWanted: boolean): ArrayReader {
  const small = createSmallFiles(areGroupsWanted)
  return Object.freeze({
    title: 'HDF5',
    sniff(store: Store) {
      const source = store.open('')
      return source !== null && hasSignature(source)
    },
    open: (store: Store, context: OpenContext) =>
      isSmallFile(store.file) ? small.open(store, context) : openLarge(store, areGroupsWanted, context),
    openedBefore: small.openedBefore,
    formed: small.formed,
    areFormsParsed: true,
    structure: (store: Store, context: OpenContext) => readStructure(store, areGroupsWanted, context),
  })
}

/** The same, for files in which the datasets mean what a convention says. */
const OPTODAS: ArrayReader = Object.freeze({
  title: hdf5.title,
  sniff: hdf5.sniff,
  open: (store: Store, context: OpenContext) => withOptodas(hdf5.open(store, context), store, context),
  structure(store: Store, context: OpenContext) {
    const { structure, tables } = readStructure(store, true, context)
    return {
      structure,
      tables: tables.map((table) => ({ ...table, file: withOptodas(table.file, store, context) })),
    }
  },
})

export function hdf5With({ convention }: FormatOptions): ArrayReader {
  return convention === 'optodas' ? OPTODAS : hdf5
}

function openLarge(store: Store, areGroupsWanted: boolean, context: OpenContext): ArrayFile {
  return fileOf(metadataIn(onlyObject(store), areGroupsWanted, context), createDatasetReader())
}

/**
 * The most small files that are remembered without one of equal metadata that came later. Then of those with more bytes than these only each so many
 * is: to copy them takes a tenth of the time to parse them.
 */
const MOST_IN_VAIN = 16
const LITTLE_BYTES = 64 << 10

/** Small files, of which many may say the same. */
function createSmallFiles(
  areGroupsWanted: boolean,
): Required<Pick<ArrayReader, 'open' | 'openedBefore' | 'formed'>> {
  const equalFiles = createKnownFiles()
  const forms = createKnownForms()
  /** The files of a task that were parsed to find their form, and were not opened. */
  const parsed = new WeakMap<FileRef, ArrayFile>()
  let inVain = 0

  function parse(stored: ByteSource, context: OpenContext): { metadata: Hdf5Metadata; file: ArrayFile } {
    inVain++
    // Nothing that is made of metadata refers to the bytes.
    const source = viewedReads(stored)
    const isRemembered = source.size <= LITTLE_BYTES || inVain <= MOST_IN_VAIN || inVain % MOST_IN_VAIN === 0
    const trace = isRemembered ? traceReads(source) : null
    const metadata = metadataIn(trace?.source ?? source, areGroupsWanted, context)
    const file = fileOf(metadata, createDatasetReader({ areFilesMany: true }))
    if (trace !== null) rememberFile(equalFiles, trace, file)
    return { metadata, file }
  }

  function ifFound(file: ArrayFile | undefined): ArrayFile | undefined {
    if (file !== undefined) inVain = 0
    return file
  }

  return {
    open(store, context) {
      const source = onlyObject(store)
      return parsed.get(store.file) ?? ifFound(findFile(equalFiles, source)) ?? parse(source, context).file
    },
    openedBefore: (memory, at, size) => ifFound(findHeldFile(equalFiles, memory, at, size)),
    formed(held, context) {
      const source = onlyObject(held.store)
      try {
        if (!hasSignature(source)) return undefined
        const { metadata, file } = parse(source, context)
        if (isFileSettled(held.file)) parsed.set(held.file, file)
        return forms.of(metadata, file, held.size)
      } catch (error) {
        if (isServiceError(error) && error.code === 'unreadable_file') return undefined
        throw error
      }
    },
  }
}

/** What a file holds. */
function readStructure(
  store: Store,
  areGroupsWanted: boolean,
  { checkCancelled }: OpenContext,
): StructuredFile {
  const source = onlyObject(store)
  requireSignature(source)
  const { metadata, structure } = parseContents(source, areGroupsWanted, checkCancelled)
  return {
    structure,
    tables: [{ group: '/', file: fileOf(metadata, createDatasetReader()), hasGroups: areGroupsWanted }],
  }
}

function fileOf(
  { arrays, attributes, otherDimensions, omitted }: Hdf5Metadata,
  data: DatasetReader,
): ArrayFile {
  const byName = new Map(arrays.map((array) => [array.name, array]))
  return {
    arrays: arrays.map(withAnnexFilters),
    attributes,
    otherDimensions,
    omitted,
    slabs(reading, { name }, box, context, exclusiveBox) {
      const array = byName.get(name)
      if (array === undefined) throw new RangeError(`no array ${name}`)
      if (array.fault !== null) throw new ServiceError('unreadable_file', `"${name}": ${array.fault}`)
      return data.slabs(reading, array, box, context, exclusiveBox)
    },
  }
}

function metadataIn(
  source: ByteSource,
  areGroupsWanted: boolean,
  { checkCancelled }: OpenContext,
): Hdf5Metadata {
  requireSignature(source)
  return parseMetadata(source, areGroupsWanted, checkCancelled)
}

function requireSignature(source: ByteSource): void {
  if (!hasSignature(source))
    throw new ServiceError('unreadable_file', 'it does not have the signature of HDF5')
}

/** The array with the filters that the annex undoes. */
function withAnnexFilters(array: Hdf5Array): Hdf5Array {
  const annexFilters = array.filters.filter(isUndoneByLibrary).map(({ id }) => filterLabel(id))
  return annexFilters.length === 0 ? array : { ...array, annexFilters }
}
