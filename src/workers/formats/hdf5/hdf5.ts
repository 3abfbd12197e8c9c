import { ServiceError } from '../../../plan/errors.ts'
import type { FormatOptions } from '../../../plan/format/file-format.ts'
import { isSmallFile } from '../../../plan/source/file.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import type { ArrayFile, ArrayReader, StructuredFile } from '../arrays/array-file.ts'
import type { OpenContext } from '../provider.ts'
import { withOptodas } from './conventions/optodas.ts'
import { createDatasetReader, type DatasetReader } from './data/dataset-reader.ts'
import { filterLabel, isUndoneByLibrary } from './data/filters/filters.ts'
import type { Hdf5Array, Hdf5Metadata } from './hdf5-metadata.ts'
import {
  createKnownFiles,
  findFile,
  findHeldFile,
  type KnownFiles,
  rememberFile,
  traceReads,
} from './known-files.ts'
import { parseContents, parseMetadata } from './metadata/parse-metadata.ts'
import { hasSignature } from './signature.ts'

/** Reads HDF5 files, all of their groups. */
export const hdf5: ArrayReader = readerOf(true)

/** The same for NetCDF-4, of whose groups the root alone is read. */
export const netcdf4: ArrayReader = readerOf(false)

function readerOf(areGroupsWanted: boolean): ArrayReader {
  return Object.freeze({
    title: 'HDF5',
    sniff(store: Store) {
      const source = store.open('')
      return source !== null && hasSignature(source)
    },
    open: (store: Store, context: OpenContext) => openArrays(store, areGroupsWanted, context),
    openedBefore: (memory: Uint8Array, at: number, size: number) =>
      findHeldFile(areGroupsWanted ? smallFiles.all : smallFiles.root, memory, at, size),
    structure: (store: Store, context: OpenContext) => readStructure(store, areGroupsWanted, context),
  })
}

/** The same, for files in which the datasets mean what a convention says. */
const OPTODAS: ArrayReader = Object.freeze({
  title: hdf5.title,
  sniff: hdf5.sniff,
  open: (store: Store, context: OpenContext) => withOptodas(openArrays(store, true, context), store, context),
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

/** Small files of equal metadata: of HDF5, and of NetCDF-4, which has other arrays. */
const smallFiles: { readonly all: KnownFiles; readonly root: KnownFiles } = Object.freeze({
  all: createKnownFiles(),
  root: createKnownFiles(),
})

function openArrays(store: Store, areGroupsWanted: boolean, context: OpenContext): ArrayFile {
  const { file } = store
  const source = onlyObject(store)
  const metadataOf = (from: ByteSource): Hdf5Metadata => metadataIn(from, areGroupsWanted, context)
  if (!isSmallFile(file)) return fileOf(metadataOf(source), createDatasetReader())
  const ofSmall = areGroupsWanted ? smallFiles.all : smallFiles.root
  const earlier = findFile(ofSmall, source)
  if (earlier !== undefined) return earlier
  const trace = traceReads(source)
  const arrayFile = fileOf(metadataOf(trace.source), createDatasetReader({ areFilesMany: true }))
  rememberFile(ofSmall, trace, arrayFile)
  return arrayFile
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
