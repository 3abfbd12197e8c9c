/**
 * What a file is, by the end of its name: the ids of `list-datasets` in the order in which it groups them (http-api.md
 * §6.4). Case counts.
 */
const LISTED = [
  ['parquet', /\.parquet$/],
  ['csv', /\.[ct]sv$/],
  ['arrow', /\.(?:arrow|feather)$/],
  ['tiff', /\.tiff?$/],
  ['zarr', /(?:^|\/)zarr\.json$/],
  ['bbf', /\.bbf$/],
  ['geoparquet', /\.geoparquet$/],
  ['nc', /\.nc$/],
  ['hdf5', /\.(?:h5|hdf5)$/],
] as const

export type DatasetFormat = (typeof LISTED)[number][0]

export const DATASET_FORMATS: readonly DatasetFormat[] = LISTED.map(([format]) => format)

/** Null for what is not listed. */
export function datasetFormat(path: string): DatasetFormat | null {
  return LISTED.find(([, ending]) => ending.test(path))?.[0] ?? null
}
