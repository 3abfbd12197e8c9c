/** The header that counts the services that a request has come through. It has the same name whatever `SERVICE_NAME` is. */
export const HOPS_HEADER = 'x-service-hops'

/**
 * The header by which a service tells another one of its version that it has the same one. It is answered to requests that have it. It has the same name
 * whatever `SERVICE_NAME` is.
 */
export const VERSION_HEADER = 'x-service-version'
