import type { FileFormat } from '../../plan/format/file-format.ts'
import type { Store } from '../store/store.ts'
import type { ArrayReader } from './arrays/array-file.ts'
import { arrayOptions } from './arrays/array-options.ts'
import { createArrayProvider } from './arrays/array-provider.ts'
import { arrow } from './arrow/arrow.ts'
import { bbf } from './bbf/bbf.ts'
import { copy } from './copy/copy.ts'
import { createCsv } from './csv/csv.ts'
import { csvOptions } from './csv/options.ts'
import { hdf5With, netcdf4 } from './hdf5/hdf5.ts'
import { netcdf3 } from './netcdf3/netcdf3.ts'
import { createOdv } from './odv/odv.ts'
import { odvOptions } from './odv/options.ts'
import { parquet } from './parquet/parquet.ts'
import type { HeldBytes, OpenContext, Provider } from './provider.ts'
import { tiff } from './tiff/tiff.ts'
import { zarrWith } from './zarr/zarr.ts'

/** Makes the provider of a format for the options that a query gives. By the id of the format's row in the table of formats. */
export type Providers = Readonly<Record<string, (format: FileFormat) => Provider>>

export const PROVIDERS: Providers = Object.freeze({
  parquet: () => parquet,
  csv: ({ options }: FileFormat) => createCsv(csvOptions(options)),
  arrow: () => arrow,
  bbf: () => bbf,
  copy: () => copy,
  netcdf: ({ options }: FileFormat) => createArrayProvider(netcdf, arrayOptions(options)),
  hdf5: ({ options }: FileFormat) => createArrayProvider(hdf5With(options), arrayOptions(options)),
  tiff: ({ options }: FileFormat) => createArrayProvider(tiff, arrayOptions(options)),
  odv: ({ options }: FileFormat) => createOdv(odvOptions(options)),
  zarr: ({ options }: FileFormat) => createArrayProvider(zarrWith(options), arrayOptions(options)),
})

/** Reads NetCDF files of both kinds by their content: classic ones, and NetCDF-4, which is HDF5. */
export const netcdf: ArrayReader = Object.freeze({
  title: 'NetCDF',
  sniff: (store: Store) => netcdf3.sniff(store) || netcdf4.sniff(store),
  open: (store: Store, context: OpenContext) => readerOf(store).open(store, context),
  openedBefore: (memory: Uint8Array, at: number, size: number) =>
    netcdf3.openedBefore?.(memory, at, size) ?? netcdf4.openedBefore?.(memory, at, size),
  formed: (held: HeldBytes, context: OpenContext) =>
    netcdf3.formed?.(held, context) ?? netcdf4.formed?.(held, context),
  structure: (store: Store, context: OpenContext) => readerOf(store).structure(store, context),
})

function readerOf(store: Store): ArrayReader {
  return !netcdf3.sniff(store) && netcdf4.sniff(store) ? netcdf4 : netcdf3
}
