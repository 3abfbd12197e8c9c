import {
  ARRAY_TABLE_OPTIONS,
  type ArrayNan,
  ATTRIBUTES,
  CONVENTION,
  DIMENSIONS,
  GROUP,
  nanOption,
  STATISTICS_COLUMNS,
  ZARR_TABLE_OPTIONS,
} from './format/array-options.ts'
import { createFormats, type Formats } from './format/create-formats.ts'
import { CSV_OPTIONS, CSV_TABLE_OPTIONS, checkCsvOptions } from './format/csv-options.ts'
import type { FormatRow, FormatStorage } from './format/format-row.ts'
import { ODV_OPTIONS, ODV_TABLE_OPTIONS } from './format/odv-options.ts'
import { flagOption, textOption } from './format/table-options.ts'

const NAN = nanOption('null')

const OBJECT = Object.freeze({ kind: 'object' as const })

/** A store of version 3 has `zarr.json`, one of version 2 some of the others. */
const ZARR_STORAGE: FormatStorage = Object.freeze({
  kind: 'folder' as const,
  markers: ['zarr.json', '.zgroup', '.zarray', '.zmetadata'],
  notFound: 'No Zarr v3 metadata (zarr.json) found in the provided path(s)',
})

const ROWS: readonly FormatRow[] = [
  {
    id: 'parquet',
    title: 'Parquet',
    from: ['parquet', 'geoparquet'],
    functions: ['read_parquet', 'read_geoparquet'],
    datasets: [
      { id: 'parquet', extensions: ['parquet', 'parq', 'pq'], listingOrder: 1 },
      { id: 'geoparquet', extensions: ['geoparquet'], listingOrder: 7 },
    ],
    options: [],
    layout: 'row_groups',
    storage: OBJECT,
  },
  {
    id: 'csv',
    title: 'CSV',
    from: ['csv'],
    functions: ['read_csv'],
    datasets: [
      {
        id: 'csv',
        extensions: ['csv', 'tsv'],
        listingOrder: 2,
        optionsOf: { tsv: { delimiter: '\t' } },
      },
    ],
    options: CSV_OPTIONS,
    tableOptions: CSV_TABLE_OPTIONS,
    check: checkCsvOptions,
    layout: 'text',
    storage: OBJECT,
  },
  {
    id: 'arrow',
    title: 'Arrow',
    from: ['arrow'],
    functions: ['read_arrow'],
    datasets: [{ id: 'arrow', extensions: ['arrow', 'feather', 'arrows', 'ipc'], listingOrder: 3 }],
    options: [],
    layout: 'row_groups',
    storage: OBJECT,
  },
  {
    id: 'netcdf',
    title: 'NetCDF',
    from: ['netcdf', 'nc'],
    functions: ['read_netcdf'],
    datasets: [{ id: 'nc', extensions: ['nc', 'cdf', 'netcdf'], listingOrder: 8 }],
    options: [DIMENSIONS, NAN, ATTRIBUTES],
    tableOptions: ARRAY_TABLE_OPTIONS,
    layout: 'grid',
    storage: OBJECT,
  },
  {
    id: 'odv',
    title: 'ODV',
    from: ['odv'],
    functions: ['read_odv_ascii', 'read_odv'],
    // Any text ends so: listings leave such files out.
    datasets: [{ id: 'odv', extensions: ['txt'], listingOrder: 10, isListed: false }],
    options: ODV_OPTIONS,
    tableOptions: ODV_TABLE_OPTIONS,
    layout: 'text',
    mayBeCompressed: true,
    storage: OBJECT,
  },
  {
    id: 'tiff',
    title: 'TIFF',
    from: ['tiff'],
    functions: ['read_tiff'],
    datasets: [{ id: 'tiff', extensions: ['tif', 'tiff'], listingOrder: 4 }],
    options: [DIMENSIONS, NAN, ATTRIBUTES],
    tableOptions: ARRAY_TABLE_OPTIONS,
    layout: 'grid',
    storage: OBJECT,
  },
  {
    id: 'zarr',
    title: 'Zarr',
    from: ['zarr'],
    functions: ['read_zarr'],
    datasets: [{ id: 'zarr', extensions: ['zarr'], listingOrder: 5 }],
    options: [STATISTICS_COLUMNS, DIMENSIONS, NAN, ATTRIBUTES, GROUP],
    tableOptions: ZARR_TABLE_OPTIONS,
    layout: 'grid',
    storage: ZARR_STORAGE,
  },
  {
    id: 'bbf',
    title: 'BBF',
    from: ['bbf'],
    functions: ['read_bbf'],
    datasets: [{ id: 'bbf', extensions: ['bbf'], listingOrder: 6 }],
    options: [],
    tableOptions: [flagOption('split_streams_slice', null)],
    layout: 'entries',
    storage: OBJECT,
  },
  {
    id: 'hdf5',
    title: 'HDF5',
    from: ['hdf5'],
    functions: ['read_hdf5'],
    datasets: [{ id: 'hdf5', extensions: ['h5', 'hdf5'], listingOrder: 9 }],
    options: [DIMENSIONS, CONVENTION, NAN],
    storedAs: ['h5'],
    tableOptions: [
      ...ARRAY_TABLE_OPTIONS,
      flagOption('unify_phony_dimensions', null),
      textOption('convention'),
    ],
    layout: 'grid',
    storage: OBJECT,
  },
]

/** The formats of the product. Tests add others by `createFormats([...FORMATS.rows, …])`. */
export const FORMATS: Formats = createFormats(ROWS)

/** The formats of a service in which NaN in arrays is something, unless a request says what it is. */
export function withArrayNan(formats: Formats, usual: ArrayNan): Formats {
  if (usual === 'null') return formats
  const option = nanOption(usual)
  return createFormats(
    formats.rows.map((row) => ({
      ...row,
      options: row.options.map((each) => (each.name === option.name ? option : each)),
    })),
  )
}
