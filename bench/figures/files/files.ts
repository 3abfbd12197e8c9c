import type { BenchData } from '../../input/data.ts'
import type { Figure } from '../figure.ts'
import { beside } from './beside.ts'
import { memory } from './memory.ts'
import { queries } from './queries.ts'
import { byPython, copied, parquet, year } from './written.ts'

type Measured = (scratch: string, data: BenchData, rounds: number) => Promise<Figure[]>

/** What `--only files` measures, each with the key by which it is measured alone. */
export const FILES: Readonly<Record<string, Measured>> = {
  files_parquet: (scratch, { root }, rounds) => parquet(scratch, root, rounds),
  files_queries: (scratch, { root }, rounds) => queries(scratch, root, rounds),
  files_ordered: (scratch, { root }, rounds) => copied(scratch, root, rounds, 'ordered'),
  files_csv: (scratch, { root }, rounds) => copied(scratch, root, rounds, 'csv'),
  files_netcdf: (scratch, { root }, rounds) => byPython(scratch, root, rounds, 'netcdf'),
  files_grid: (scratch, { root }, rounds) => byPython(scratch, root, rounds, 'grid'),
  files_year: (scratch, { root }) => year(scratch, root),
  files_odv: (scratch, { root }, rounds) => byPython(scratch, root, rounds, 'odv'),
  files_parquet_rss: (scratch, { root }) => memory(scratch, root, 'parquet'),
  files_ordered_rss: (scratch, { root }) => memory(scratch, root, 'ordered'),
  files_csv_rss: (scratch, { root }) => memory(scratch, root, 'csv'),
  files_netcdf_rss: (scratch, { root }) => memory(scratch, root, 'netcdf'),
  files_grid_rss: (scratch, { root }) => memory(scratch, root, 'grid'),
  files_odv_rss: (scratch, { root }) => memory(scratch, root, 'odv'),
  files_large_rss: (scratch, { root }) => memory(scratch, root, 'large'),
  files_beside: (scratch, { root, small }) => beside(scratch, root, small),
}
