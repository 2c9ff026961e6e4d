#include "run/exec/onednn/reorder.h"

#include "run/exec/onednn/primitive.h"

namespace plimsoll {
namespace {

// A weight with groups has an axis more than the tensor that it is; row-major numbers may be seen either way.
dnnl::memory::desc seen_as(const Layout& layout, const Layout& other) {
  if (layout.desc.dims() == other.desc.dims() || !is_row_major(layout)) return layout.desc;
  return row_major(other.desc.dims()).desc;
}

dnnl::reorder::primitive_desc describe(const Layout& from, const Layout& to) {
  return {onednn_engine(), seen_as(from, to), onednn_engine(), seen_as(to, from), plain_attributes()};
}

}  // namespace

const Op& reorder_op() {
  static const Op op{.name = "reorder", .kind = OpKind::reorder};
  return op;
}

const Op& other_view_op() {
  static const Op op{.name = "view", .kind = OpKind::movement, .storage = Storage::view};
  return op;
}

std::unique_ptr<Kernel> reorder_kernel(const Layout& from, const Layout& to) {
  const auto pd = describe(from, to);
  return primitive_kernel([pd] { return dnnl::reorder(pd); },
                          {from_input(DNNL_ARG_FROM, 0, pd.src_desc()), to_output(DNNL_ARG_TO, 0, pd.dst_desc())},
                          pd.scratchpad_desc());
}

void reorder_now(const Layout& from, const std::byte* source, const Layout& to, std::byte* target) {
  const auto pd = dnnl::reorder::primitive_desc(onednn_engine(), seen_as(from, to), onednn_engine(), seen_as(to, from));
  dnnl::memory in(pd.src_desc(), onednn_engine(), const_cast<std::byte*>(source));
  dnnl::memory out(pd.dst_desc(), onednn_engine(), target);
  dnnl::reorder(pd).execute(onednn_stream(), in, out);
}

}  // namespace plimsoll
