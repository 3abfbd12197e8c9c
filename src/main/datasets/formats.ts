/** The ids of `list-datasets` in the order in which it groups them (http-api.md §6.4), with the ends of their names. */
const EXTENSIONS = {
  parquet: ['parquet'],
  csv: ['csv', 'tsv'],
  arrow: ['arrow', 'feather'],
  tiff: ['tif', 'tiff'],
  zarr: [],
  bbf: ['bbf'],
  geoparquet: ['geoparquet'],
  nc: ['nc'],
  hdf5: ['h5', 'hdf5'],
} as const

export type DatasetFormat = keyof typeof EXTENSIONS

export const DATASET_FORMATS = Object.keys(EXTENSIONS) as readonly DatasetFormat[]

const BY_EXTENSION: ReadonlyMap<string, DatasetFormat> = new Map(
  DATASET_FORMATS.flatMap((format) => EXTENSIONS[format].map((extension) => [extension, format] as const)),
)

/** What a file is by its name, case and all; null for what is not listed. A Zarr group is its marker file. */
export function datasetFormat(path: string): DatasetFormat | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'zarr.json') return 'zarr'
  const dot = name.lastIndexOf('.')
  return dot < 0 ? null : (BY_EXTENSION.get(name.slice(dot + 1)) ?? null)
}
