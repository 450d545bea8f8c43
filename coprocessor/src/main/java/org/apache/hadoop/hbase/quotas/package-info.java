/**
 * Makes HBase's objects of quotas, whose constructors only classes of this package may call. Uses
 * HBase's classes as they are.
 */
package org.apache.hadoop.hbase.quotas;
