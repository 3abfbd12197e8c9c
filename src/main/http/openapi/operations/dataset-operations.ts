import {
  BOOLEAN,
  INTEGER,
  jsonAnswer,
  LOOKING_ERRORS,
  listOf,
  OBJECT,
  type Operation,
  objectOf,
  parameterErrorAnswer,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
} from './operation.ts'
import { SAMPLE_FILE } from './sample-queries.ts'

export const SCHEMA = objectOf({
  fields: listOf(
    objectOf({
      name: TEXT,
      data_type: { description: 'A type of Arrow: its name, or an object with one key' },
      nullable: BOOLEAN,
      dict_id: INTEGER,
      dict_is_ordered: BOOLEAN,
      metadata: OBJECT,
    }),
  ),
  metadata: OBJECT,
})

const ATTRIBUTES = {
  type: 'object',
  description: 'By their names; `cut_from` is the length of a value that is cut',
  additionalProperties: objectOf({ type: TEXT, value: {}, cut_from: INTEGER }),
} as const

const SIZES = { type: ['array', 'null'], items: INTEGER } as const

const STRUCTURE = objectOf({
  file: TEXT,
  format: TEXT,
  grids: listOf(objectOf({ group: TEXT, dimensions: TEXTS })),
  dimensions: listOf(
    objectOf({
      group: TEXT,
      name: TEXT,
      size: INTEGER,
      is_unlimited: BOOLEAN,
      is_in_grid: BOOLEAN,
    }),
  ),
  groups: listOf(objectOf({ path: TEXT, attributes: ATTRIBUTES })),
  variables: listOf(
    objectOf({
      group: TEXT,
      name: TEXT,
      type: TEXT,
      dimensions: TEXTS,
      shape: listOf(INTEGER),
      chunks: SIZES,
      shards: SIZES,
      filters: listOf(objectOf({ name: TEXT, parameters: {} })),
      attributes: ATTRIBUTES,
      is_in_grid: BOOLEAN,
      column: TEXT_OR_NULL,
      column_type: TEXT_OR_NULL,
      note: {
        type: ['string', 'null'],
        description: 'Why it is no column, or why its values are not read',
      },
    }),
  ),
  left_out: {
    type: 'object',
    description: 'How many of each the limits of this listing left out',
    additionalProperties: INTEGER,
  },
})

/** Of the sample's file, with one of its variables. */
const SST_STRUCTURE = {
  file: 'sst.nc',
  format: 'netcdf',
  grids: [{ group: '/', dimensions: ['time', 'lat', 'lon'] }],
  dimensions: [{ group: '/', name: 'lat', size: 36, is_unlimited: false, is_in_grid: true }],
  groups: [{ path: '/', attributes: { Conventions: { type: 'string', value: 'CF-1.8' } } }],
  variables: [
    {
      group: '/',
      name: 'lat',
      type: 'float32',
      dimensions: ['lat'],
      shape: [36],
      chunks: null,
      shards: null,
      filters: [],
      attributes: { units: { type: 'string', value: 'degrees_north' } },
      is_in_grid: true,
      column: 'lat',
      column_type: 'Float32',
      note: null,
    },
  ],
  left_out: { groups: 0, dimensions: 0, variables: 0, attributes: 0 },
}

const DATASET = objectOf({
  file_path: TEXT,
  format: TEXT,
  can_inspect: BOOLEAN,
  can_partial_explore: BOOLEAN,
  size: { type: ['integer', 'null'], description: 'Bytes' },
  last_modified: { type: ['string', 'null'], format: 'date-time' },
})

const WRONG_PARAMETER = {
  400: parameterErrorAnswer('A parameter cannot be read, or the pattern leaves the dataset root', {
    json: { wrong_limit: "The parameter `limit` must be a whole number, not 'ten'." },
    plain: {
      outside:
        'The path "../other" has a `..` part; paths are relative to the dataset root, which no query leaves.',
    },
  }),
  ...LOOKING_ERRORS,
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
export const DATASET_OPERATIONS: Readonly<Record<string, Operation>> = {
  listDatasets: {
    requests: LISTED,
    answers: {
      200: jsonAnswer('The datasets', listOf(DATASET), {
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
      }),
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
      200: jsonAnswer('The number', INTEGER, { plain: 3 }),
      ...LOOKING_ERRORS,
    },
  },
  getDatasetStructure: {
    requests: {
      sst: {
        summary: 'What a NetCDF file holds',
        parameters: { file: 'sst.nc' },
        isOfSample: true,
      },
      missing: {
        summary: 'A file that does not exist',
        parameters: { file: 'nowhere.nc' },
        isOfSample: true,
      },
    },
    answers: {
      200: jsonAnswer('Groups, dimensions, variables and attributes', STRUCTURE, { sst: SST_STRUCTURE }),
      400: parameterErrorAnswer('No file, several, or one that is no file of arrays', {
        plain: {
          missing:
            'No file matched "nowhere.nc"; the dataset root has "observations", "platforms.csv", "profiles" and 4 more. "**/nowhere.nc" searches all folders.',
        },
      }),
      ...LOOKING_ERRORS,
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
            'No file matched "nowhere.parquet"; the dataset root has "observations", "platforms.csv", "profiles" and 4 more. "**/nowhere.parquet" searches all folders.',
        },
      }),
      ...LOOKING_ERRORS,
    },
  },
}
