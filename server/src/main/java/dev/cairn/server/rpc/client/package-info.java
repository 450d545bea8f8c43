/** A client of the protocol, for the calls that servers send to each other. */
package dev.cairn.server.rpc.client;
