import type { Store } from '../store/store.ts'
import type { ArrayReader } from './arrays/array-file.ts'
import { netcdf4 } from './hdf5/hdf5.ts'
import { netcdf3 } from './netcdf3/netcdf3.ts'
import type { OpenContext } from './provider.ts'

/** Reads NetCDF files of both kinds by their content: classic ones, and NetCDF-4, which is HDF5. */
export const netcdf: ArrayReader = Object.freeze({
  title: 'NetCDF',
  sniff: (store: Store) => netcdf3.sniff(store) || netcdf4.sniff(store),
  open: (store: Store, context: OpenContext) => readerOf(store).open(store, context),
  structure: (store: Store, context: OpenContext) => readerOf(store).structure(store, context),
})

function readerOf(store: Store): ArrayReader {
  return !netcdf3.sniff(store) && netcdf4.sniff(store) ? netcdf4 : netcdf3
}
