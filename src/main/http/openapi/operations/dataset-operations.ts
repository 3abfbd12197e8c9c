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

const ATTRIBUTES = {
  type: 'object',
  description: 'By their names; `cut_from` is the length of a value that is cut',
  additionalProperties: {
    type: 'object',
    properties: { type: TEXT, value: {}, cut_from: { type: 'integer' } },
  },
} as const

const SIZES = { type: ['array', 'null'], items: { type: 'integer' } } as const

const STRUCTURE = {
  type: 'object',
  properties: {
    file: TEXT,
    format: TEXT,
    grids: { type: 'array', items: { type: 'object', properties: { group: TEXT, dimensions: TEXTS } } },
    dimensions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          group: TEXT,
          name: TEXT,
          size: { type: 'integer' },
          is_unlimited: { type: 'boolean' },
          is_in_grid: { type: 'boolean' },
        },
      },
    },
    groups: {
      type: 'array',
      items: { type: 'object', properties: { path: TEXT, attributes: ATTRIBUTES } },
    },
    variables: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          group: TEXT,
          name: TEXT,
          type: TEXT,
          dimensions: TEXTS,
          shape: { type: 'array', items: { type: 'integer' } },
          chunks: SIZES,
          shards: SIZES,
          filters: {
            type: 'array',
            items: { type: 'object', properties: { name: TEXT, parameters: {} } },
          },
          attributes: ATTRIBUTES,
          is_in_grid: { type: 'boolean' },
          column: { type: ['string', 'null'] },
          column_type: { type: ['string', 'null'] },
          note: {
            type: ['string', 'null'],
            description: 'Why it is no column, or why its values are not read',
          },
        },
      },
    },
    left_out: {
      type: 'object',
      description: 'How many of each the limits of this listing left out',
      additionalProperties: { type: 'integer' },
    },
  },
} as const

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
