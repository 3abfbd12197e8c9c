import {
  CLIENT_ERRORS,
  jsonAnswer,
  type Operation,
  PLAIN_UNAVAILABLE_ERRORS,
  parameterErrorAnswer,
  TEXT,
  TEXTS,
} from './operation.ts'
import { SAMPLE_FILE } from './sample-queries.ts'

export const SCHEMA = {
  type: 'object',
  properties: {
    fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: TEXT,
          data_type: { description: 'A type of Arrow: its name, or an object with one key' },
          nullable: { type: 'boolean' },
          dict_id: { type: 'integer' },
          dict_is_ordered: { type: 'boolean' },
          metadata: { type: 'object' },
        },
      },
    },
    metadata: { type: 'object' },
  },
} as const

const DATASET = {
  type: 'object',
  properties: {
    file_path: TEXT,
    format: TEXT,
    can_inspect: { type: 'boolean' },
    can_partial_explore: { type: 'boolean' },
    size: { type: ['integer', 'null'], description: 'Bytes' },
    last_modified: { type: ['string', 'null'], format: 'date-time' },
  },
} as const

const WRONG_PARAMETER = {
  400: parameterErrorAnswer('A parameter cannot be read, or the pattern leaves the dataset root', {
    json: { wrong_limit: "The parameter `limit` must be a whole number, not 'ten'." },
    plain: {
      outside:
        'The path "../other" has a `..` part; paths are relative to the dataset root, which no query leaves.',
    },
  }),
  ...CLIENT_ERRORS,
  ...PLAIN_UNAVAILABLE_ERRORS,
}

const LISTED = {
  observations: {
    summary: 'The first file of a folder',
    parameters: { pattern: 'observations/*', offset: 0, limit: 1 },
    isOfSample: true,
  },
  everything: { summary: 'At most ten datasets', parameters: { pattern: '**', limit: 10 } },
  wrong_limit: { summary: 'A wrong parameter', parameters: { limit: 'ten' } },
  outside: { summary: 'A path outside of the dataset root', parameters: { pattern: '../other' } },
}

/** The operations that list files, and tell their columns. */
/** What the grid of the sample holds, of its variables the last one. */
const GRID = {
  file: 'sst.nc',
  format: 'netcdf',
  grids: [{ group: '/', dimensions: ['time', 'lat', 'lon'] }],
  dimensions: [{ group: '/', name: 'lat', size: 36, is_unlimited: false, is_in_grid: true }],
  groups: [{ path: '/', attributes: { Conventions: { type: 'string', value: 'CF-1.8' } } }],
  variables: [
    {
      group: '/',
      name: 'sst',
      type: 'int16',
      dimensions: ['time', 'lat', 'lon'],
      shape: [12, 36, 42],
      chunks: [4, 18, 21],
      shards: null,
      filters: [
        { name: 'shuffle', parameters: [2] },
        { name: 'deflate', parameters: [9] },
      ],
      attributes: {
        units: { type: 'string', value: 'degree_Celsius' },
        scale_factor: { type: 'float64', value: 0.01 },
      },
      is_in_grid: true,
      column: 'sst',
      column_type: 'Float64',
      note: null,
    },
  ],
  left_out: { groups: 0, dimensions: 0, variables: 0, attributes: 0 },
}

export const DATASET_OPERATIONS: Readonly<Record<string, Operation>> = {
  listDatasets: {
    requests: LISTED,
    answers: {
      200: jsonAnswer(
        'The datasets',
        { type: 'array', items: DATASET },
        {
          observations: [
            {
              file_path: SAMPLE_FILE,
              format: 'parquet',
              can_inspect: false,
              can_partial_explore: false,
              size: 91_000,
              last_modified: '2026-11-22T12:00:00.000Z',
            },
          ],
          everything: [],
        },
      ),
      ...WRONG_PARAMETER,
    },
  },
  listDatasetPaths: {
    requests: LISTED,
    answers: {
      200: jsonAnswer('The paths', TEXTS, { observations: [SAMPLE_FILE], everything: [] }),
      ...WRONG_PARAMETER,
    },
  },
  countDatasets: {
    requests: { plain: { summary: 'All datasets' } },
    answers: {
      200: jsonAnswer('The number', { type: 'integer' }, { plain: 3 }),
      ...CLIENT_ERRORS,
      ...PLAIN_UNAVAILABLE_ERRORS,
    },
  },
  getDatasetStructure: {
    requests: {
      grid: { summary: 'A grid in NetCDF', parameters: { file: 'sst.nc' }, isOfSample: true },
      missing: {
        summary: 'A file that does not exist',
        parameters: { file: 'nowhere.nc' },
        isOfSample: true,
      },
    },
    answers: {
      200: jsonAnswer('Groups, dimensions, variables and attributes', { type: 'object' }, { grid: GRID }),
      400: parameterErrorAnswer('No file, several, or one that is no file of arrays', {
        plain: {
          missing:
            'No file matched "nowhere.nc"; the dataset root has "observations", "platforms.csv", "profiles" and 2 more. "**/nowhere.nc" searches all folders.',
        },
      }),
      ...CLIENT_ERRORS,
      ...PLAIN_UNAVAILABLE_ERRORS,
    },
  },
  getDatasetSchema: {
    requests: {
      observations: {
        summary: 'The columns of several files',
        parameters: { file: 'observations/*.parquet' },
        isOfSample: true,
      },
      missing: {
        summary: 'A file that does not exist',
        parameters: { file: 'nowhere.parquet' },
        isOfSample: true,
      },
    },
    answers: {
      200: jsonAnswer('The columns', SCHEMA, {
        observations: {
          fields: [
            {
              name: 'time',
              data_type: { Timestamp: ['Millisecond', null] },
              nullable: true,
              dict_id: 0,
              dict_is_ordered: false,
              metadata: {},
            },
          ],
          metadata: {},
        },
      }),
      400: parameterErrorAnswer('No file, or one that cannot be read', {
        plain: {
          missing:
            'No file matched "nowhere.parquet"; the dataset root has "observations", "platforms.csv", "profiles" and 2 more. "**/nowhere.parquet" searches all folders.',
        },
      }),
      ...CLIENT_ERRORS,
      ...PLAIN_UNAVAILABLE_ERRORS,
    },
  },
}
