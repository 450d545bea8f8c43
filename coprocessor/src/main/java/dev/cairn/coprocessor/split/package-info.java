/** Split policies of HBase's API in classes of users, over views of the region. */
package dev.cairn.coprocessor.split;
