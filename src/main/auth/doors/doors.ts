/** A way by which a caller may reach tables, files or what was made of them. */
export interface Door {
  readonly kind: 'route' | 'reader' | 'table function' | 'statement' | 'system table' | 'cache'
  /**
   * Of a route its method and path; of a reader the key of `from` or the function in SQL; of a statement the words with which it begins; of a cache the
   * file of it that docs/reference/caches.md names first, or its name in `GET /api/info`.
   */
  readonly name: string
  readonly without: Without
}

/** What a caller gets at a door who has no right to what is asked for. */
export type Without =
  /** 400 with one message for what is refused and for what is not there. */
  | 'refused'
  /** What may be read, and nothing else. */
  | 'left out'
  /** 404, as for what is not there. */
  | 'not found'
  /** An answer without columns. */
  | 'no columns'
  /** 400 with `super-user` in the message, whether or not rules have an effect. */
  | 'super-user'
  /** 401 without credentials, and 403 with those of another user. */
  | 'admin'
  /** What everybody gets: nothing of tables and files is looked up. */
  | 'open'
  /** Found by the principal and the digest of its rights: nobody finds what was made for another. */
  | 'by caller'
  /** Found by the credentials of a request, of which a keyed digest is kept. */
  | 'by credentials'
  /** It holds no decision: rights are decided before each use. */
  | 'no decision'

/**
 * All doors. `src/main/query/source/resolve-source.ts` and the search of files decide behind each of them. A test goes through the table,
 * and fails if the service has a route, a reader, a table function, a statement, a table of its own or a cache that has no row.
 */
export const DOORS: readonly Door[] = Object.freeze([
  ...doors('route', 'refused', [
    'POST /api/query',
    'GET /api/query',
    'POST /api/explain-query',
    'POST /api/explain-analyze-query',
    'GET /api/dataset-schema',
    'GET /api/dataset-structure',
    'POST /mcp',
  ]),
  ...doors('route', 'left out', [
    'GET /api/list-datasets',
    'GET /api/datasets',
    'GET /api/total-datasets',
    'GET /api/tables',
    'GET /api/tables-with-schema',
    'GET /api/catalogs',
    'GET /api/info',
  ]),
  ...doors('route', 'not found', [
    'GET /api/table-schema',
    'GET /api/table-extensions',
    'GET /api/query/metrics/:query_id',
  ]),
  ...doors('route', 'no columns', ['GET /api/default-table-schema', 'GET /api/query/available-columns']),
  ...doors('route', 'admin', [
    'GET /api/admin/check',
    'GET /api/admin/table-config',
    'GET /api/admin/table-definition',
    'POST /api/admin/external-tables',
    'GET /api/admin/auth/users',
    'GET /api/admin/auth/roles',
    'POST /api/admin/datasets/upload',
    'POST /api/admin/datasets/upload/initiate',
    'PUT /api/admin/datasets/upload/part',
    'POST /api/admin/datasets/upload/complete',
    'DELETE /api/admin/datasets/upload',
    'GET /api/admin/datasets/download',
    'DELETE /api/admin/datasets',
    'GET /api/admin/datasets/storage',
    'PUT /api/admin/table-extensions/:table_name',
    'DELETE /api/admin/table-extensions/:table_name',
    'POST /api/admin/crawlers',
    'GET /api/admin/crawlers',
    'GET /api/admin/crawlers/:name',
    'POST /api/admin/crawlers/:name/run',
    'GET /api/admin/crawlers/:name/runs',
    'DELETE /api/admin/crawlers/:name',
  ]),
  ...doors('route', 'open', [
    'POST /api/parse-query',
    'GET /api/default-table',
    'GET /api/table-functions',
    'GET /api/functions',
    'GET /api/health',
    'GET /api/ready',
    'GET /',
    'GET /docs',
    'GET /docs/*',
    'GET /favicon.svg',
    'GET /favicon.ico',
    'GET /assets/pages.css',
    'GET /assets/home.js',
    'GET /openapi.json',
    'GET /swagger',
    'GET /swagger/*',
    'GET /scalar',
    'GET /scalar/*',
  ]),
  ...doors('reader', 'refused', [
    'arrow',
    'bbf',
    'csv',
    'geoparquet',
    'hdf5',
    'nc',
    'netcdf',
    'odv',
    'parquet',
    'tiff',
    'zarr',
    'read_arrow',
    'read_bbf',
    'read_csv',
    'read_geoparquet',
    'read_hdf5',
    'read_netcdf',
    'read_odv',
    'read_odv_ascii',
    'read_parquet',
    'read_tiff',
    'read_zarr',
  ]),
  ...doors('table function', 'refused', [
    'read_arrow_schema',
    'read_bbf_schema',
    'read_csv_schema',
    'read_geoparquet_schema',
    'read_hdf5_schema',
    'read_hdf5_variables',
    'read_netcdf_schema',
    'read_netcdf_variables',
    'read_odv_ascii_schema',
    'read_odv_schema',
    'read_parquet_schema',
    'read_tiff_schema',
    'read_tiff_variables',
    'read_zarr_schema',
    'read_zarr_variables',
  ]),
  ...doors('table function', 'left out', ['list_datasets']),
  ...doors('table function', 'super-user', ['file_statistics']),
  ...doors('table function', 'open', ['generate_series', 'range', 'repeat', 'unnest']),
  ...doors('statement', 'refused', [
    'DESCRIBE',
    'DESC',
    'SUMMARIZE',
    'EXPLAIN',
    'EXPLAIN ANALYZE',
    'SHOW COLUMNS',
    'SHOW EXTENSIONS',
  ]),
  ...doors('statement', 'left out', ['SHOW TABLES']),
  ...doors('statement', 'open', ['SHOW FUNCTIONS']),
  ...doors('statement', 'super-user', [
    'CREATE',
    'CREATE SECRET',
    'CREATE PERSISTENT SECRET',
    'CREATE TEMPORARY SECRET',
    'DROP',
    'DROP SECRET',
    'SHOW SECRETS',
    'ATTACH',
    'DETACH',
    'SET EXTENSION',
    'SET EXTENSIONS',
    'DROP EXTENSION',
    'REFRESH',
    'SHOW CREATE TABLE',
    'CREATE CRAWLER',
    'RUN CRAWLER',
    'SHOW CRAWLERS',
    'DROP CRAWLER',
    'ANALYZE FILES',
    'GRANT',
    'DENY',
    'REVOKE',
  ]),
  ...doors('system table', 'super-user', [
    'information_schema.columns',
    'information_schema.df_settings',
    'information_schema.parameters',
    'information_schema.routines',
    'information_schema.schemata',
    'information_schema.tables',
    'information_schema.views',
    'system.attached',
    'system.crawler_runs',
    'system.file_stats',
    'system.file_stats_segments',
    'system.query_metrics',
    'system.role_rules',
    'system.roles',
    'system.users',
  ]),
  ...doors('cache', 'by caller', [
    'answers',
    'runs',
    'src/main/answers/kept-answers.ts',
    'src/main/answers/answers.ts',
  ]),
  ...doors('cache', 'by credentials', [
    'src/main/auth/tokens/remembered-tokens.ts',
    'src/main/auth/passwords/remembered-pairs.ts',
  ]),
  ...doors('cache', 'no decision', [
    'footers',
    'inflated',
    'src/main/query/source/inflated/inflated-files.ts',
    'columns',
    'chunks',
    'src/workers/state/column-cache.ts',
    'src/workers/state/chunk-store.ts',
    'src/workers/formats/hdf5/data/dataset-reader.ts',
    'src/plan/source/chunk-table.ts',
    'src/workers/formats/zarr/data/shards/kept-indexes.ts',
    'src/main/query/source/summaries/summaries.ts',
    'src/main/query/source/summaries/rows/file-facts.ts',
    'src/main/query/source/summaries/learned-summaries.ts',
    'src/main/learned/store/read-found.ts',
    'src/main/learned/store/registry-table.ts',
    'src/main/query/source/schema/shared-schemas.ts',
    'src/main/query/source/schema/shared-layouts.ts',
    'src/main/query/source/summaries/kept-lists.ts',
    'src/main/query/source/summaries/surveyed-lists.ts',
    'src/main/query/source/summaries/derived-grids.ts',
    'src/main/query/source/summaries/folder-summaries.ts',
    'src/main/datasets/fingerprint/kept-searches.ts',
    'src/main/learned/store/crawled-digests.ts',
    'src/main/query/source/many/folder-lists.ts',
    'src/main/query/source/many/learned-index.ts',
    'src/main/query/source/many/learned-tests.ts',
    'src/main/query/source/many/many-files.ts',
    'src/main/datasets/fingerprint/searches.ts',
    'src/main/parts/create-queries.ts',
    'src/main/remotes/services/remote-versions.ts',
    'src/main/dispatch/engines/long-statements.ts',
    'src/main/query/core/views/view-trees.ts',
    'src/main/query/plan/grid/sorted-axis.ts',
    'src/main/dispatch/workers/affinity.ts',
    'src/main/query/source/summaries/omitted-log.ts',
    'src/main/query/source/structure/kept-structures.ts',
    'src/main/output/arrow/arrow-schema.ts',
    'src/main/auth/tokens/issuer-keys.ts',
    'src/workers/formats/zarr/metadata/kept-hierarchies.ts',
    'src/workers/formats/zarr/data/zarr-slabs.ts',
    'src/workers/formats/netcdf3/known-files.ts',
    'src/workers/formats/netcdf3/known-forms.ts',
    'src/workers/formats/arrays/formed-columns.ts',
    'src/workers/formats/hdf5/known-files.ts',
    'src/workers/formats/hdf5/known-forms.ts',
    'src/workers/formats/arrays/small-slabs.ts',
    'src/workers/formats/arrays/kept-forms.ts',
    'src/workers/formats/hdf5/hdf5.ts',
    'src/workers/formats/hdf5/metadata/known-attributes.ts',
    'src/workers/formats/arrays/alike.ts',
    'src/workers/formats/arrays/columns.ts',
    'src/workers/state/open-files.ts',
    'src/workers/store/local-stores.ts',
    'src/wasm/duckdb/functions/regex.ts',
    'src/workers/sql/functions/registered/within-point.ts',
    'src/plan/zones/zones.ts',
    'src/wasm/core/evaluate/evaluate.ts',
    'src/wasm/core/evaluate/times/zone-shifts.ts',
    'src/workers/sql/binding/named-views.ts',
    'src/workers/sql/binding/explanations.ts',
    'src/workers/formats/hdf5/data/heap.ts',
    'src/workers/formats/arrays/ragged/read-gathered.ts',
    'src/workers/state/decoded-units.ts',
    'src/main/query/source/remote/remote-rows.ts',
  ]),
])

function doors(kind: Door['kind'], without: Without, names: readonly string[]): readonly Door[] {
  return names.map((name) => Object.freeze({ kind, name, without }))
}
