/**
 * Where code of users hooks into the servers: the classes that sites and tables name as
 * coprocessors ({@link dev.cairn.server.hook.CoprocessorClass}), the module that runs them ({@link
 * dev.cairn.server.hook.HookModule}, {@link dev.cairn.server.hook.HookProvider}), and the hooks of
 * one region ({@link dev.cairn.server.hook.RegionHooks}). Nothing here knows HBase's interfaces of
 * coprocessors.
 */
package dev.cairn.server.hook;
