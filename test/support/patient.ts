/**
 * Settings of the services of tests. On a busy machine what is no fault takes longer than a service allows: DuckDB to begin, a long
 * expression. The time of a test file has a limit of its own.
 */
export const PATIENT = Object.freeze({ SERVICE_UNIT_TIMEOUT_SECS: '600' })
