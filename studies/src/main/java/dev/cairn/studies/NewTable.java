package dev.cairn.studies;

import dev.cairn.keys.KeyFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A table that is to be made.
 *
 * @param splits the first keys of its regions but the first one
 */
public record NewTable(TableDescriptor descriptor, List<byte[]> splits) {
  /** Copies the list. */
  public NewTable {
    splits = List.copyOf(splits);
  }

  /** Creates a table of one region. */
  public NewTable(TableDescriptor descriptor) {
    this(descriptor, List.of());
  }

  /** Creates a table of one region and one family, which carries the format of its keys. */
  public static NewTable of(TableName name, byte[] family, KeyFormat format) {
    return of(name, format, family);
  }

  /** Creates a table of one region and one family, which carries the format of its keys. */
  public static NewTable of(TableName name, ColumnFamilyDescriptor family, KeyFormat format) {
    return of(name, format, List.of(family));
  }

  /** Creates a table of one region, which carries the format of its keys. */
  public static NewTable of(TableName name, KeyFormat format, byte[]... families) {
    return of(
        name, format, Arrays.stream(families).map(ColumnFamilyDescriptorBuilder::of).toList());
  }

  /** Creates a table of one region, which carries the format of its keys. */
  public static NewTable of(
      TableName name, KeyFormat format, List<ColumnFamilyDescriptor> families) {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamilies(families)
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build());
  }

  /** Makes the table; in place of one of its name, if there is one. */
  public void create(Admin admin) throws IOException {
    drop(admin);
    if (splits.isEmpty()) {
      admin.createTable(descriptor);
    } else {
      admin.createTable(descriptor, splits.toArray(new byte[0][]));
    }
  }

  /** Removes the table, if there is one. */
  public void drop(Admin admin) throws IOException {
    if (admin.tableExists(descriptor.getTableName())) {
      if (admin.isTableEnabled(descriptor.getTableName())) {
        admin.disableTable(descriptor.getTableName());
      }
      admin.deleteTable(descriptor.getTableName());
    }
  }
}
