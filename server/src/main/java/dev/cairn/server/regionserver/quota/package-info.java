/** Enforces quotas: throttles of calls, and the space that tables use. */
package dev.cairn.server.regionserver.quota;
