/** Calls the services (endpoints) of coprocessors. */
package dev.cairn.coprocessor.endpoint;
