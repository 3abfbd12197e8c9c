import {
  ADMIN_ERRORS,
  type AnswerDescription,
  answer,
  BOOLEAN,
  errorAnswer,
  INTEGER,
  jsonAnswer,
  type Operation,
  objectOf,
  parameterErrorAnswer,
  plainErrorAnswer,
  TEXT,
  TEXT_OR_NULL,
} from './operation.ts'

const UPLOADED = objectOf({ path: TEXT, size: { ...INTEGER, description: 'Bytes' } })
const FIGURE = { type: ['number', 'null'] } as const

/** An upload in parts that nobody has begun. */
const NO_UPLOAD = '6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'

const UNKNOWN_UPLOAD = {
  404: plainErrorAnswer('No such upload has begun, or it is over', {
    unknown:
      'There is no such upload: it was completed or aborted, or no part has come for an hour. Begin again.',
  }),
} as const

const WRONG_ID = 'The parameter `upload_id` must be a UUID, as `initiate` gives it.'

const WRITE_ERRORS = {
  500: plainErrorAnswer('A file could not be written', {}),
  507: plainErrorAnswer('The disk of the dataset root is full, or nearly', {}),
} as const

/** A path that no file may have. */
const OUTSIDE =
  'The path "../a.csv" has a `..` part; paths are relative to the dataset root, which no query leaves.'

function wrongPath(description: string, more: Readonly<Record<string, string>> = {}): AnswerDescription {
  return parameterErrorAnswer(description, { json: more, plain: { outside: OUTSIDE } })
}

function conflict(description: string, examples: Readonly<Record<string, string>> = {}): AnswerDescription {
  return plainErrorAnswer(description, examples)
}

/** The operations that bring files in, give them out and delete them. */
export const DATASET_FILE_OPERATIONS: Readonly<Record<string, Operation>> = {
  uploadDataset: {
    requests: {
      csv: {
        summary: 'A small CSV file',
        parameters: { path: 'stations/north.csv', overwrite: true },
        body: 'station,depth\nA1,12.5\n',
      },
      taken: {
        summary: 'A path that has a file already',
        parameters: { path: 'observations/2024-01.parquet' },
        body: 'x',
        isOfSample: true,
      },
      outside: { summary: 'A path out of the dataset root', parameters: { path: '../a.csv' }, body: 'x' },
      flag: { summary: 'A flag that is none', parameters: { path: 'a.csv', overwrite: 'yes' }, body: 'x' },
    },
    answers: {
      200: jsonAnswer('The file is there, and on the disk', UPLOADED, {
        csv: { path: 'stations/north.csv', size: 23 },
      }),
      400: wrongPath('A path that no file may have, a root that cannot be written to, or another digest', {
        flag: "The parameter `overwrite` must be true or false, not 'yes'.",
      }),
      ...ADMIN_ERRORS,
      408: errorAnswer('Nothing has arrived for 60 seconds'),
      409: conflict('There is a file, or another upload has the path', {
        taken: 'observations/2024-01.parquet is there already; overwrite=true replaces it.',
      }),
      413: plainErrorAnswer('The file has more bytes than an upload may have', {}),
      415: errorAnswer('The body has a content coding'),
      ...WRITE_ERRORS,
    },
  },
  beginUpload: {
    requests: {
      begin: {
        summary: 'A large file',
        parameters: { path: 'stations/large.parquet', overwrite: true },
      },
      outside: { summary: 'A path out of the dataset root', parameters: { path: '../a.csv' } },
    },
    answers: {
      200: jsonAnswer(
        'The upload has begun, and has the path',
        objectOf({
          upload_id: { type: 'string', format: 'uuid' },
          part_size: { ...INTEGER, description: 'Bytes of a part; other sizes are taken, too' },
        }),
        { begin: { part_size: 33_554_432 } },
      ),
      400: wrongPath('A path that no file may have, or a root that cannot be written to'),
      ...ADMIN_ERRORS,
      409: conflict('There is a file, or another upload has the path'),
      ...WRITE_ERRORS,
    },
  },
  uploadPart: {
    requests: {
      unknown: {
        summary: 'Of an upload that is over',
        parameters: { upload_id: NO_UPLOAD, part_number: 1 },
        body: 'x',
      },
      wrong_id: { summary: 'An id that is none', parameters: { upload_id: 'x', part_number: 1 }, body: 'x' },
    },
    answers: {
      204: { description: 'The part is there, and on the disk; without a body' },
      400: parameterErrorAnswer('A parameter cannot be read, or another digest', {
        json: { wrong_id: WRONG_ID },
      }),
      ...ADMIN_ERRORS,
      ...UNKNOWN_UPLOAD,
      408: errorAnswer('Nothing has arrived for 60 seconds'),
      409: conflict('Another part comes next, or the last one had other bytes'),
      413: plainErrorAnswer('The part or the file has more bytes than it may have; the upload is over', {}),
      415: errorAnswer('The body has a content coding'),
      ...WRITE_ERRORS,
    },
  },
  completeUpload: {
    requests: {
      unknown: { summary: 'An upload that is over', parameters: { upload_id: NO_UPLOAD } },
      wrong_id: { summary: 'An id that is none', parameters: { upload_id: 'x' } },
    },
    answers: {
      200: jsonAnswer('The file is there, and on the disk', UPLOADED),
      400: parameterErrorAnswer('A parameter cannot be read', { json: { wrong_id: WRONG_ID } }),
      ...ADMIN_ERRORS,
      ...UNKNOWN_UPLOAD,
      409: conflict('No part has come, or there is a file; the upload is still there'),
      ...WRITE_ERRORS,
    },
  },
  abortUpload: {
    requests: {
      unknown: { summary: 'An upload that is over', parameters: { upload_id: NO_UPLOAD } },
      wrong_id: { summary: 'An id that is none', parameters: { upload_id: 'x' } },
    },
    answers: {
      204: { description: 'It is over, and nothing of it is left; without a body' },
      400: parameterErrorAnswer('A parameter cannot be read', { json: { wrong_id: WRONG_ID } }),
      ...ADMIN_ERRORS,
      ...UNKNOWN_UPLOAD,
      409: conflict('A part of it is arriving'),
    },
  },
  downloadDataset: {
    requests: {
      missing: { summary: 'A file that is not there', parameters: { path: 'none.csv' } },
      outside: { summary: 'A path out of the dataset root', parameters: { path: '../a.csv' } },
    },
    answers: {
      200: {
        ...answer('The bytes', 'application/octet-stream', { type: 'string', format: 'binary' }),
        headers: { ETag: { schema: TEXT, description: 'The tag of this version of the file' } },
      },
      206: answer('The bytes that `Range` asks for', 'application/octet-stream', {
        type: 'string',
        format: 'binary',
      }),
      304: { description: '`If-None-Match` has the tag of the file; without a body' },
      400: wrongPath('A path that no file may have, or that of a folder'),
      ...ADMIN_ERRORS,
      404: plainErrorAnswer('There is no such file', {
        missing: 'There is no file none.csv; /api/list-datasets shows what there is.',
      }),
      416: plainErrorAnswer('`Range` asks for none of the bytes', {}),
    },
  },
  deleteDataset: {
    requests: {
      missing: { summary: 'A file that is not there', parameters: { path: 'none.csv' } },
      outside: { summary: 'A path out of the dataset root', parameters: { path: '../a.csv' } },
    },
    answers: {
      204: { description: 'It is deleted; without a body' },
      400: wrongPath('A path that no file may have, that of a folder, or a root that cannot be written to'),
      ...ADMIN_ERRORS,
      404: plainErrorAnswer('There is no such file', {
        missing: 'There is no file none.csv; /api/list-datasets shows what there is.',
      }),
      409: conflict('A table or a view names the file'),
      500: plainErrorAnswer('It could not be deleted', {}),
    },
  },
  getStorage: {
    requests: { plain: { summary: 'The volume of the dataset root' } },
    answers: {
      200: jsonAnswer(
        'Figures in bytes; null if the system does not tell',
        objectOf({
          kind: TEXT,
          location: TEXT,
          mount_point: TEXT_OR_NULL,
          total_space: FIGURE,
          used_space: FIGURE,
          free_space: FIGURE,
          used_percent: FIGURE,
          object_count: FIGURE,
          writable: { ...BOOLEAN, description: 'Whether files can be brought in' },
        }),
        { plain: { kind: 'local', object_count: null, writable: true } },
      ),
      ...ADMIN_ERRORS,
    },
  },
}
