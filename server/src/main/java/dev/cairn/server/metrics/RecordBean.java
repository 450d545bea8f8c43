package dev.cairn.server.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;

/**
 * A record as a JMX bean. Reads the sources at most once a second, because some readers ask for one
 * attribute at a time. Thread-safe.
 */
final class RecordBean implements DynamicMBean {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MetricRegistry registry;
  private final RecordName name;
  private Map<String, MBeanAttributeInfo> infos = Map.of(); // guarded by this
  private Map<String, Object> values = Map.of(); // guarded by this
  private long readNanos; // guarded by this

  RecordBean(MetricRegistry registry, RecordName name) {
    this.registry = registry;
    this.name = name;
  }

  private void refresh() {
    long now = registry.clock().nanoTime();
    if (!values.isEmpty() && now - readNanos < FRESH_NANOS) {
      return;
    }
    Map<String, Object> read = new LinkedHashMap<>();
    Map<String, MBeanAttributeInfo> described = new LinkedHashMap<>();
    for (MetricRecord record : registry.read(other -> other.bean().equals(name.bean()))) {
      record
          .tags()
          .forEach(
              (tag, value) -> {
                read.put("tag." + tag, value);
                described.put("tag." + tag, info("tag." + tag, value, tag));
              });
      for (HBaseAttributes.Attribute attribute : HBaseAttributes.of(record)) {
        read.put(attribute.name(), attribute.value());
        described.put(
            attribute.name(), info(attribute.name(), attribute.value(), attribute.help()));
      }
    }
    values = read;
    infos = described;
    readNanos = now;
  }

  private static MBeanAttributeInfo info(String name, Object value, String help) {
    return new MBeanAttributeInfo(name, value.getClass().getName(), help, true, false, false);
  }

  @Override
  public synchronized Object getAttribute(String attribute) throws AttributeNotFoundException {
    refresh();
    Object value = values.get(attribute);
    if (value == null) {
      throw new AttributeNotFoundException("No attribute with name " + attribute + " was found.");
    }
    return value;
  }

  @Override
  public synchronized AttributeList getAttributes(String[] attributes) {
    refresh();
    List<Attribute> found = new ArrayList<>();
    for (String attribute : attributes) {
      Object value = values.get(attribute);
      if (value != null) {
        found.add(new Attribute(attribute, value));
      }
    }
    AttributeList list = new AttributeList();
    list.addAll(found);
    return list;
  }

  @Override
  public synchronized MBeanInfo getMBeanInfo() {
    refresh();
    return new MBeanInfo(
        name.type(),
        "Metrics of " + name.type(),
        infos.values().toArray(MBeanAttributeInfo[]::new),
        null,
        null,
        null);
  }

  @Override
  public void setAttribute(Attribute attribute) {
    throw new UnsupportedOperationException("Metrics are read-only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    throw new UnsupportedOperationException("Metrics are read-only");
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException("Metrics have no operations");
  }
}
