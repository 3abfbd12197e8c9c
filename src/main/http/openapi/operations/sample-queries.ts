/** Queries over the sample that a new service makes. The README shows the first two, with their answers. */

const CSV = { format: 'csv' }

/** Where the floats were in the north, and how warm the surface was. */
export const SAMPLE_JSON = {
  select: ['time', 'latitude', 'longitude', 'temperature'],
  from: { parquet: { paths: ['observations/*.parquet'] } },
  filters: [
    { column: 'time', min: '2024-02-20T00:00:00', max: '2024-02-25T00:00:00' },
    { column: 'latitude', min: 50 },
    { column: 'depth', max: 5 },
  ],
  output: CSV,
} as const

/** Which model of float met the warmest water near the surface. */
export const SAMPLE_SQL = {
  sql:
    'SELECT model, count(DISTINCT platform) AS floats, round(avg(temperature), 2) AS surface ' +
    "FROM read_parquet('observations/*.parquet') JOIN read_csv('platforms.csv') USING (platform) " +
    'WHERE depth <= 10 GROUP BY model ORDER BY surface DESC',
  output: CSV,
} as const

/** What runs on any service, whatever its files are. */
export const SAMPLE_ANYWHERE = {
  sql: 'SELECT file_format, count(*) AS files FROM list_datasets() GROUP BY file_format ORDER BY file_format',
  output: CSV,
} as const

/** A file of the sample. Where it is, the sample is. */
export const SAMPLE_FILE = 'observations/2024-01.parquet'
