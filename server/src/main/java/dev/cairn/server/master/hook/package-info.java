/**
 * The interface to coprocessors of the master: the master calls {@link
 * dev.cairn.server.master.hook.MasterHooks} around methods and at moments of procedures; {@link
 * dev.cairn.server.master.hook.MasterView} gives them the master's state. Does not depend on
 * HBase's interfaces of coprocessors. Imports no other package of the master.
 */
package dev.cairn.server.master.hook;
