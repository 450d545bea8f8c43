/**
 * The RPC services of the master's port: each {@code …Methods} class answers one group of methods,
 * {@code MasterGate} takes calls from handler threads to the loop, and {@link
 * dev.cairn.server.master.service.MasterServices} puts the services together. May import every room
 * of the master but {@code cleaner}; no other room imports it.
 */
package dev.cairn.server.master.service;
