/**
 * Coprocessors as the servers see them: the classes that sites and tables name ({@link
 * dev.cairn.server.hook.CoprocessorClass}), the module that runs them ({@link
 * dev.cairn.server.hook.HookModule}, {@link dev.cairn.server.hook.HookProvider}), the hooks of one
 * region ({@link dev.cairn.server.hook.RegionHooks}), of a region server ({@link
 * dev.cairn.server.hook.RegionServerHooks}), of its logs ({@link dev.cairn.server.hook.LogHooks}),
 * and of the active master ({@link dev.cairn.server.master.hook.MasterHooks}). This package does
 * not depend on HBase's interfaces of coprocessors.
 */
package dev.cairn.server.hook;
