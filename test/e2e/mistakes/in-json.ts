/** A query with a mistake, and what the message must name. Without a `from` of its own it reads the sample's observations. */
export type JsonMistake = readonly [query: Readonly<Record<string, unknown>>, names: readonly string[]]

export const OBSERVATIONS = { parquet: { paths: ['observations/*.parquet'] } }

const select = ['time', 'depth']

export const IN_JSON: readonly JsonMistake[] = [
  // Members of the query
  [{}, ['"select"', '"sql"']],
  [{ select, where: 'depth > 5' }, ['where', '"filters"']],
  [{ select, where: [{ column: 'depth', gt: 5 }] }, ['where', '"filters"']],
  [{ select, fitlers: [] }, ['fitlers', '"filters"']],
  [{ select, order_by: 'depth' }, ['order_by', '"sort_by"']],
  [{ select, group_by: ['platform'] }, ['group_by', 'SQL']],
  [{ select, having: [] }, ['having', 'SQL']],
  [{ columns: ['time'] }, ['columns', '"select"']],
  [{ query: 'SELECT 1' }, ['query', '"sql"']],
  [{ select, format: 'csv' }, ['format', '"output": {"format": "csv"}']],
  [{ select, table: 'observations' }, ['table', '"from"']],
  [{ select, from: null }, ['"from"', '/api/list-datasets']],
  [{ sql: 'SELECT 1', limit: 5 }, ['limit', 'LIMIT']],
  [{ sql: ['SELECT 1'] }, ['sql', 'string']],
  // Select
  [{ select: '*' }, ['select', 'array']],
  [{ select: ['*'] }, ['select[0]', 'SELECT *', '"depth"']],
  [{ select: [] }, ['select', 'at least one column']],
  [{ select: 'time' }, ['select', 'array', '["time"]']],
  [{ select: ['temprature'] }, ['select[0]', '"temprature"', '"temperature"']],
  [{ select: ['Temperature'] }, ['select[0]', '"Temperature"', '"temperature"']],
  [{ select: ['avg(temperature)'] }, ['select[0]', 'avg', 'SQL']],
  [{ select: ['round(temperature)'] }, ['select[0]', '{"function": "round"']],
  [{ select: [{ function: 'avg', args: ['temperature'] }] }, ['select[0].function', '"avg"', 'SELECT avg(']],
  [{ select: [{ function: 'count', args: [] }] }, ['select[0].function', '"count"', 'SQL']],
  [{ select: [{ function: 'ROUND', args: ['depth'] }] }, ['select[0].function', '"ROUND"', '"round"']],
  [{ select: [{ function: 'rond', args: ['depth'] }] }, ['select[0].function', '"rond"', '"round"']],
  [{ select: [{ function: 'abs', args: ['platform'] }] }, ['select[0]', 'abs', 'VARCHAR']],
  [{ select: [{ function: 'round' }] }, ['select[0].args', 'array']],
  [{ select: [{ function: 'round', args: ['dpth'] }] }, ['select[0].args[0]', '"dpth"', '"depth"']],
  [{ select: [{ column: 'depth', alais: 'd' }] }, ['select[0].alais', '"alias"']],
  [{ select: [{ colum: 'depth' }] }, ['select[0].colum', '"column"']],
  [{ select: ['depth', 'depth'] }, ['select[1]', '"depth"', 'alias']],
  // From
  [
    { select, from: 'observations' },
    ['"observations"', '{"parquet": {"paths": ["observations/*.parquet"]}}'],
  ],
  [{ select, from: 'platforms.csv' }, ['"platforms.csv"', '{"csv": {"paths": ["platforms.csv"]}}']],
  [{ select, from: { parquet: 'observations/*.parquet' } }, ['from.parquet', '"paths"']],
  [{ select, from: { parquet: { path: 'observations' } } }, ['from.parquet', 'path', '"paths"']],
  [
    { select, from: { parquet: { paths: 'observations' } } },
    ['from.parquet.paths', 'array', '["observations"]'],
  ],
  [{ select, from: { parquet: { paths: [] } } }, ['from.parquet.paths', 'at least one']],
  [{ select, from: { parqet: { paths: ['a'] } } }, ['from', '"parqet"', '"parquet"']],
  [{ select, from: { paths: ['observations/*.parquet'] } }, ['from', '"paths"', '{"parquet": {"paths"']],
  [{ select, from: { netcdf: { paths: ['grid.nc'] } } }, ['from.netcdf', 'NetCDF', 'parquet, csv or arrow']],
  [{ select, from: { parquet: { paths: ['observatons/*.parquet'] } } }, ['"observations/*.parquet"']],
  [
    { select, from: { parquet: { paths: ['datasets/observations/*.parquet'] } } },
    ['"observations/*.parquet"'],
  ],
  [
    { select, from: { parquet: { paths: ['observations\\2024-01.parquet'] } } },
    ['"observations/2024-01.parquet"'],
  ],
  [{ select, from: { csv: { paths: ['renamed.csv'] } } }, ['"renamed.csv" holds Parquet', '"parquet"']],
  [
    { select: ['station'], from: { csv: { paths: ['semicolons.csv'] } } },
    ['"semicolons.csv"', "delimiter = ';'"],
  ],
  [{ select: ['station'], from: { csv: { paths: ['points.csv'] } } }, ['"station"', "delimiter = ';'"]],
  [
    { select: ['model'], from: { csv: { paths: ['platforms.csv'], delimeter: ';' } } },
    ['delimeter', '"delimiter"'],
  ],
  [
    { select: ['model'], from: { csv: { paths: ['platforms.csv'], delimiter: ';;' } } },
    ['from.csv.delimiter', ';;'],
  ],
  // Filters
  [{ select, filters: { column: 'depth', gt: 5 } }, ['filters', 'array', '"filter"']],
  [{ select, filters: ['depth > 5'] }, ['filters[0]', 'object', '{"column": "depth", "gt": 5}']],
  [{ select, filters: [{ colum: 'depth', gt: 5 }] }, ['filters[0].colum', '"column"']],
  [{ select, filters: [{ column: 'depth', gte: 5 }] }, ['filters[0].gte', '"gt_eq"']],
  [{ select, filters: [{ column: 'depth', op: '>', value: 5 }] }, ['filters[0].op', '"gt"']],
  [{ select, filters: [{ depth: { gt: 5 } }] }, ['filters[0]', '{"column": "depth"']],
  [{ select, filters: [{ column: 'dpth', gt: 5 }] }, ['filters[0]', '"dpth"', '"depth"']],
  [{ select, filters: [{ column: 'depth', gt: 'deep' }] }, ['filters[0].gt', '"depth"', '"deep"', 'Float32']],
  [{ select, filters: [{ column: 'time', gt: '01/02/2024' }] }, ['filters[0].gt', '"time"', '2024-02-29']],
  [{ select, filters: [{ column: 'time', gt: '2024-02-30' }] }, ['filters[0].gt', '"2024-02-30"']],
  [{ select, filters: [{ column: 'time', gt: 1704067200 }] }, ['filters[0].gt', '1704067200', '2024-02-29']],
  [{ select, filters: [{ column: 'time', eq: 'now' }] }, ['filters[0].eq', '"now"', '2024-02-29']],
  [{ select, filters: [{ is_null: 'depth' }] }, ['filters[0].is_null', '{"column": "depth"}']],
  [
    {
      select,
      filters: [{ longitude_column: 'longitude', latitude_column: 'latitude', geometry: 'POINT (1 2)' }],
    },
    ['filters[0].geometry', 'GeoJSON'],
  ],
  // Order, numbers and output
  [{ select, sort_by: 'depth' }, ['sort_by', 'array', '[{"Asc": "depth"}]']],
  [{ select, sort_by: ['depth'] }, ['sort_by[0]', '{"Asc": "depth"}']],
  [{ select, sort_by: [{ asc: 'depth' }] }, ['sort_by[0]', '"Asc"']],
  [{ select, sort_by: [{ Asc: 'dpth' }] }, ['sort_by[0]', '"dpth"', '"depth"']],
  [{ select, limit: '10' }, ['limit', '"10"']],
  [{ select, limit: -5 }, ['limit', '-5']],
  [{ select, output: 'csv' }, ['output', '{"format": "csv"}']],
  [{ select, output: { format: 'xlsx' } }, ['output.format', '"xlsx"', 'csv']],
  [{ select, output: { format: 'CSV' } }, ['output.format', '"CSV"', '"csv"']],
  [{ select, output: { format: 'parquet' } }, ['output.format', 'parquet', 'csv']],
  [{ select, output: { format: ['csv', 'arrow'] } }, ['output.format', 'one format']],
  [{ select, output: { fromat: 'csv' } }, ['output.fromat', '"format"']],
]
