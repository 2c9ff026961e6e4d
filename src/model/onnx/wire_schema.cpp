#include "model/onnx/wire_schema.h"

#include <array>

#include "base/check.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {
namespace {

constexpr WireField kModel[] = {
    {1, Holds::integer, "ir_version"},
    {2, Holds::text, "producer_name"},
    {7, Holds::message, "graph", Part::graph},
    {8, Holds::message, "opset_import", Part::opset},
    {20, Holds::message, "training_info", Part::training},
    {25, Holds::message, "functions", Part::function},
};
constexpr WireField kGraph[] = {
    {1, Holds::message, "node", Part::node},
    {2, Holds::text, "name"},
    {5, Holds::message, "initializer", Part::tensor},
    {11, Holds::message, "input", Part::value_info},
    {12, Holds::message, "output", Part::value_info},
    {13, Holds::message, "value_info", Part::value_info},
    {15, Holds::message, "sparse_initializer", Part::sparse_tensor},
};
constexpr WireField kNode[] = {
    {1, Holds::text, "input"},    {2, Holds::text, "output"},
    {3, Holds::text, "name"},     {4, Holds::text, "op_type"},
    {7, Holds::text, "domain"},   {5, Holds::message, "attribute", Part::attribute},
    {8, Holds::text, "overload"}, {9, Holds::message, "metadata_props", Part::entry},
};
constexpr WireField kAttribute[] = {
    {1, Holds::text, "name"},
    {2, Holds::float32, "f"},
    {3, Holds::integer, "i"},
    {4, Holds::blob, "s"},
    {5, Holds::message, "t", Part::tensor},
    {6, Holds::message, "g", Part::graph},
    {7, Holds::float32s, "floats"},
    {8, Holds::integers, "ints"},
    {9, Holds::blob, "strings"},
    {10, Holds::message, "tensors", Part::tensor},
    {11, Holds::message, "graphs", Part::graph},
    {14, Holds::message, "tp", Part::type},
    {15, Holds::message, "type_protos", Part::type},
    {20, Holds::integer, "type"},
    {21, Holds::text, "ref_attr_name"},
    {22, Holds::message, "sparse_tensor", Part::sparse_tensor},
    {23, Holds::message, "sparse_tensors", Part::sparse_tensor},
};
constexpr WireField kTensor[] = {
    {1, Holds::integers, "dims"},
    {2, Holds::code, "data_type"},
    {3, Holds::message, "segment", Part::segment},
    {4, Holds::data32, "float_data"},
    {5, Holds::data_varint, "int32_data"},
    {6, Holds::data_text, "string_data"},
    {7, Holds::data_varint, "int64_data"},
    {8, Holds::text, "name"},
    {9, Holds::raw_data, "raw_data"},
    {10, Holds::data64, "double_data"},
    {11, Holds::data_varint, "uint64_data"},
    {13, Holds::message, "external_data", Part::entry},
    {14, Holds::integer, "data_location"},
};
constexpr WireField kSparse[] = {
    {1, Holds::message, "values", Part::tensor},
    {2, Holds::message, "indices", Part::tensor},
    {3, Holds::integers, "dims"},
};
constexpr WireField kValueInfo[] = {{1, Holds::text, "name"}, {2, Holds::message, "type", Part::type}};
constexpr WireField kType[] = {
    {1, Holds::message, "tensor_type", Part::tensor_type},
    {4, Holds::message, "sequence_type", Part::element_type},
    {5, Holds::message, "map_type", Part::map_type},
    {8, Holds::message, "sparse_tensor_type", Part::tensor_type},
    {9, Holds::message, "optional_type", Part::element_type},
};
constexpr WireField kTensorType[] = {{1, Holds::code, "elem_type"}, {2, Holds::message, "shape", Part::shape}};
constexpr WireField kElementType[] = {{1, Holds::message, "elem_type", Part::type}};
constexpr WireField kMapType[] = {{1, Holds::code, "key_type"}, {2, Holds::message, "value_type", Part::type}};
constexpr WireField kShape[] = {{1, Holds::message, "dim", Part::dim}};
constexpr WireField kDim[] = {{1, Holds::integer, "dim_value"}, {2, Holds::text, "dim_param"}};
constexpr WireField kOpset[] = {{1, Holds::text, "domain"}, {2, Holds::integer, "version"}};
constexpr WireField kEntry[] = {{1, Holds::text, "key"}, {2, Holds::text, "value"}};
constexpr WireField kTraining[] = {
    {1, Holds::message, "initialization", Part::graph},
    {2, Holds::message, "algorithm", Part::graph},
};
constexpr WireField kFunction[] = {
    {1, Holds::text, "name"},
    {4, Holds::text, "input"},
    {5, Holds::text, "output"},
    {6, Holds::text, "attribute"},
    {7, Holds::message, "node", Part::node},
    {9, Holds::message, "opset_import", Part::opset},
    {10, Holds::text, "domain"},
    {11, Holds::message, "attribute_proto", Part::attribute},  // newer than the schema: read from unknown fields
    {13, Holds::text, "overload"},                             // likewise, as is a node's
};
constexpr WireField kSegment[] = {{1, Holds::integer, "begin"}, {2, Holds::integer, "end"}};

constexpr std::array kParts = {
    PartInfo{Part::model, "model", 0, sizeof(onnx::ModelProto), kModel},
    PartInfo{Part::graph, "graph", 2, sizeof(onnx::GraphProto), kGraph},
    PartInfo{Part::node, "node", 3, sizeof(onnx::NodeProto), kNode},
    PartInfo{Part::attribute, "attribute", 1, sizeof(onnx::AttributeProto), kAttribute},
    PartInfo{Part::tensor, "tensor", 8, sizeof(onnx::TensorProto), kTensor},
    PartInfo{Part::sparse_tensor, "sparse tensor", 0, sizeof(onnx::SparseTensorProto), kSparse},
    PartInfo{Part::value_info, "value", 1, sizeof(onnx::ValueInfoProto), kValueInfo},
    PartInfo{Part::type, "type", 0, sizeof(onnx::TypeProto), kType},
    PartInfo{Part::tensor_type, "tensor type", 0, sizeof(onnx::TypeProto_Tensor), kTensorType},
    PartInfo{Part::element_type, "type", 0, sizeof(onnx::TypeProto_Sequence), kElementType},
    PartInfo{Part::map_type, "map type", 0, sizeof(onnx::TypeProto_Map), kMapType},
    PartInfo{Part::shape, "shape", 0, sizeof(onnx::TensorShapeProto), kShape},
    PartInfo{Part::dim, "dimension", 0, sizeof(onnx::TensorShapeProto_Dimension), kDim},
    PartInfo{Part::opset, "opset", 1, sizeof(onnx::OperatorSetIdProto), kOpset},
    PartInfo{Part::entry, "entry", 1, sizeof(onnx::StringStringEntryProto), kEntry},
    PartInfo{Part::training, "training info", 0, sizeof(onnx::TrainingInfoProto), kTraining},
    PartInfo{Part::function, "function", 1, sizeof(onnx::FunctionProto), kFunction},
    PartInfo{Part::segment, "segment", 0, sizeof(onnx::TensorProto_Segment), kSegment},
};

}  // namespace

const PartInfo& info(Part part) {
  const PartInfo& row = kParts.at(size_t(part));
  PLIM_CHECK(row.part == part, "the table of ONNX's messages is out of order");
  return row;
}

const WireField* find_field(Part part, uint32_t number) {
  for (const WireField& field : info(part).fields)
    if (field.number == number) return &field;
  return nullptr;
}

}  // namespace plimsoll
