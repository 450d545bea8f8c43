/**
 * Where coprocessors of the master come in: {@link dev.cairn.server.master.hook.MasterHooks} are
 * called around methods and at moments of procedures, {@link
 * dev.cairn.server.master.hook.MasterView} shows them the master's state. Does not depend on
 * HBase's interfaces of coprocessors. Imports no other package of the master.
 */
package dev.cairn.server.master.hook;
