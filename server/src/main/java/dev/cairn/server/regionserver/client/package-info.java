/**
 * The methods of ClientService: gets, scans, mutations, batches and bulk loads, with their limits
 * and nonces.
 */
package dev.cairn.server.regionserver.client;
