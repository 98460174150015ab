#include "model/preset.h"

#define BERT                                                                                       \
    "placement=post norm=layer eps=1e-12 embed_norm=1 vocab=30522 max_tokens=512 activation=gelu " \
    "positions=learned head=tied init=bert embed_init=bert "
#define GPT2                                                                                       \
    "placement=pre norm=layer eps=1e-5 causal=1 vocab=50257 max_tokens=1024 activation=gelu_tanh " \
    "positions=learned head=tied init=gpt2 embed_init=gpt2 "

static const struct lnstab__preset presets[] = {
    {"none", "", ""},
    {"xiong2020-encoder",
     "placement=post layers=6 width=512 heads=8 ffn_width=2048 vocab=32768 max_tokens=512 "
     "positions=sinusoidal activation=relu init=xavier_normal head=tied embed_init=lecun_normal "
     "embed_scale=22.627416997969522",
     "Xiong 2020, section 3: the base Transformer of Vaswani et al. 2017, its encoder"},
    {"bert-base", BERT "layers=12 width=768 heads=12 ffn_width=3072",
     "Devlin et al. 2019 (arXiv 1810.04805), without segments, pooler and head transform"},
    {"bert-large", BERT "layers=24 width=1024 heads=16 ffn_width=4096",
     "Devlin et al. 2019 (arXiv 1810.04805), without segments, pooler and head transform"},
    {"gpt2-124m", GPT2 "layers=12 width=768 heads=12",
     "Radford et al. 2019, the published checkpoints"},
    {"gpt2-355m", GPT2 "layers=24 width=1024 heads=16",
     "Radford et al. 2019, the published checkpoints"},
    {"gpt2-774m", GPT2 "layers=36 width=1280 heads=20",
     "Radford et al. 2019, the published checkpoints"},
    {"gpt2-1.5b", GPT2 "layers=48 width=1600 heads=25",
     "Radford et al. 2019, the published checkpoints"},
    {"olmo2-block",
     "placement=output-norm norm=rms eps=1e-6 causal=1 bias=0 layers=16 width=2048 heads=16 "
     "ffn_width=8192 vocab=100352 max_tokens=4096 qk_norm=full activation=silu gated=1 "
     "positions=rotary rotary_base=500000 head=separate init=olmo2 head_init=olmo2 "
     "embed_init=olmo2",
     "OLMo 2 1B (arXiv 2501.00656)"},
    {"gemma2-block",
     "placement=peri norm=rms eps=1e-6 causal=1 bias=0 layers=26 width=2304 heads=8 kv_heads=4 "
     "ffn_width=9216 vocab=256000 max_tokens=8192 soft_cap=50 activation=gelu_tanh gated=1 "
     "positions=rotary rotary_base=10000 head=tied embed_scale=48",
     "Gemma 2 2B (arXiv 2408.00118): norms, gate, cap; head width is width/heads here, 256 there"},
};

int lnstab__preset_count(void) {
    return (int)(sizeof presets / sizeof *presets);
}

const struct lnstab__preset *lnstab__preset_at(int i) {
    return &presets[i];
}
